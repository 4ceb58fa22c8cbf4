#ifndef delassus_benchmarks_contact_solvers_sheet_h
#define delassus_benchmarks_contact_solvers_sheet_h

#include <delassus/contact/problem/exchange_problem.h>

namespace delassus_benchmarks
{
/// A thin elastic sheet between tools, one implicit step: trilinear hexahedra,
/// n x n x 2 cells of a plate of size 1 x 1 x 0.02, every node of its upper and
/// lower face a candidate, 2 (n+1)^2 of them. A punch bends the middle down,
/// the rim is held between die and holder and drawn inwards; mu = 0.2.
///
/// Global form: M = mass + h^2 stiffness, H, f and w. @p inertia is the ratio
/// of the mass to h^2 stiffness, on the diagonal of a node in the interior:
/// 1e-6 is nearly quasi-static, 1 is dominated by inertia.
delassus::ExchangeProblem make_sheet(unsigned int n, double inertia);

/// The same sheet held on all of both faces: die and holder press on every node
/// and draw it to the middle, where it slides; it sticks outside. @p change:
/// part by which gaps and velocities of the tools are other ones, at most, a
/// wave over the sheet.
delassus::ExchangeProblem
make_held_sheet(unsigned int n, double inertia, double change = 0.);
} // namespace delassus_benchmarks

#endif
