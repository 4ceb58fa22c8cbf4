#ifndef delassus_materials_sheet_laws_h
#define delassus_materials_sheet_laws_h

#include <delassus/materials/barlat_kernel.h>
#include <delassus/materials/hill_kernel.h>
#include <delassus/materials/sheet_law.h>
#include <delassus/parameters/parameters.h>

#include <memory>

namespace delassus
{
class Material;

/// What all laws of sheets take from the parameters.
class SheetLawOfParameters : public SheetLaw
{
public:
  std::array<double, 2> shear_moduli() const override
  {
    return { { elasticity.G_13, elasticity.G_23 } };
  }
  double thickness_modulus() const override
  {
    return elasticity.young_3;
  }
  double density() const override
  {
    return mass_density;
  }

protected:
  explicit SheetLawOfParameters(const MaterialParameters &parameters)
      : elasticity(parameters)
      , mass_density(parameters.density)
  {
  }

  const PlaneElasticity elasticity;

private:
  const double mass_density;
};

/// Laws without history.
class ElasticSheet : public SheetLawOfParameters
{
public:
  unsigned int n_history() const override
  {
    return 0;
  }
  void initialize(double *) const override
  {
  }
  bool is_elastic() const override
  {
    return true;
  }

protected:
  using SheetLawOfParameters::SheetLawOfParameters;
};

/// Hooke's law, isotropic or orthotropic, between logarithmic strain and its
/// conjugate stress.
class HenckySheet final : public ElasticSheet
{
public:
  explicit HenckySheet(const MaterialParameters &parameters)
      : ElasticSheet(parameters)
  {
  }
  bool respond(const std::array<double, 3> &E,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               SheetResponse &response) const override;
};

/// Saint Venant-Kirchhoff: S = C E with C of plane stress, since S_33 = 0 is
/// tau_33 = 0; E_33 = -nu/(1-nu) (E_11 + E_22).
class SaintVenantKirchhoffSheet final : public ElasticSheet
{
public:
  explicit SaintVenantKirchhoffSheet(const MaterialParameters &parameters)
      : ElasticSheet(parameters)
  {
  }
  bool respond(const std::array<double, 3> &E,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               SheetResponse &response) const override;
};

/// Plasticity (see HillKernel) at finite strain. Two frames:
///
/// additive: the elastic strain is eps - eps_p with eps = 1/2 ln C. The axes of
/// the material turn with the rotation of the polar decomposition, F = R U,
/// and so do back stresses. History: eps_p (11 22 2*12), the state of the
/// kernel.
///
/// multiplicative: F = Fe Fp as multiplicative.h has it for solids, the elastic
/// strain 1/2 ln(Fp^-T C Fp^-1), Fp := exp(flow) Fp: step for step what solids
/// of the same material answer in plane stress. History: Fp^{-1} - I in the
/// plane (11 12 21 22), the state of the kernel.
///
/// Where the principal axes stay in the material the two are the same.
enum class PlasticFrame
{
  additive,
  multiplicative
};

class PlasticSheet final : public SheetLawOfParameters
{
public:
  PlasticSheet(const MaterialParameters &parameters, const PlasticFrame frame)
      : SheetLawOfParameters(parameters)
      , kernel(parameters)
      , frame(frame)
  {
  }
  unsigned int n_history() const override
  {
    return n_strain() + kernel.n_state();
  }
  void initialize(double *history) const override;
  bool respond(const std::array<double, 3> &E,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               SheetResponse &response) const override;
  bool is_elastic() const override
  {
    return false;
  }
  std::vector<Field> fields() const override
  {
    return { { HillKernel::field, n_strain() } };
  }

private:
  unsigned int n_strain() const
  {
    return frame == PlasticFrame::additive ? 3 : 4;
  }

  bool multiplicative(const PlaneVector &E,
                      const double h,
                      const double *begin,
                      double *end,
                      const bool with_tangent,
                      SheetResponse &response) const;

  const HillKernel kernel;
  const PlasticFrame frame;
};

/// Plasticity of Barlat and Lian (see BarlatKernel), additive as PlasticFrame
/// says. History: eps_p (11 22 2*12), the plastic strain.
class BarlatSheet final : public SheetLawOfParameters
{
public:
  explicit BarlatSheet(const MaterialParameters &parameters)
      : SheetLawOfParameters(parameters)
      , kernel(parameters)
  {
  }
  unsigned int n_history() const override
  {
    return 3 + kernel.n_state();
  }
  void initialize(double *history) const override;
  bool respond(const std::array<double, 3> &E,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               SheetResponse &response) const override;
  bool is_elastic() const override
  {
    return false;
  }
  std::vector<Field> fields() const override
  {
    return { { BarlatKernel::field, 3 } };
  }

private:
  const BarlatKernel kernel;
};

/// A law of solids in plane stress: F = U, U^2 = C, then tau and c of the
/// current configuration taken back to the reference. History: that of the
/// law, and ln F_33.
class SolidSheet final : public SheetLawOfParameters
{
public:
  explicit SolidSheet(const MaterialParameters &parameters);
  ~SolidSheet() override;

  unsigned int n_history() const override;
  void initialize(double *history) const override;
  bool respond(const std::array<double, 3> &E,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               SheetResponse &response) const override;
  bool is_elastic() const override;
  std::vector<Field> fields() const override;

private:
  const std::unique_ptr<Material> law;
};
} // namespace delassus

#endif
