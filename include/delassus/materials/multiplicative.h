#ifndef delassus_materials_multiplicative_h
#define delassus_materials_multiplicative_h

#include <delassus/materials/inelastic_kernel.h>

namespace delassus
{
/// Finite inelastic strain from a small-strain kernel (Eterovic and Bathe
/// 1990, Int. J. Numer. Meth. Engng 30, 1099-1114). F = Fe Fi; with Fi of the
/// beginning
///   C = Fe^T Fe,  Fe = F Fi^{-1},  E = 1/2 ln C
/// goes to the kernel, which answers T and the flow dEi; then
///   S = T : 2 dE/dC,  tau = Fe S Fe^T,  Fi := exp(dEi) Fi.
/// S is the stress conjugate to C of the potential whose derivative T is, so
/// the tangent is symmetric also if T and E do not commute (back stress).
///
/// In the axes of C, with e its logarithmic strains, g(x) = x / sinh x and
/// divided differences of the logarithm,
///   tau_ab = g_ab T_ab,  g_ab = g(e_a - e_b),
///   d : c : d = g d : dT/dE : g d + 2 sum_abc T_ac k_abc d_ab d_bc,
///   k_abc = 4 lambda_b sqrt(lambda_a lambda_c) f[a,b,c],  f = 1/2 ln
/// (the formulas of Miehe, Apel and Lambrecht 2002 with the push-forward done:
/// in the axes n_a = Fe N_a / sqrt(lambda_a) it only scales).
///
/// History: Fi^{-1} - I by rows (9 numbers), then the state of the kernel (back
/// stress on the intermediate configuration). Zero at a virgin point.
///
/// @p F by rows, @p tangent a row-major 6 x 6 matrix or null.
template <typename Kernel>
bool multiplicative_response(const Kernel &kernel,
                             const double *F,
                             const double h,
                             const double *begin,
                             double *end,
                             double *stress,
                             double *tangent,
                             double &stored,
                             double &dissipated);
} // namespace delassus

#endif
