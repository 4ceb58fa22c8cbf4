#ifndef delassus_materials_laws_h
#define delassus_materials_laws_h

#include <delassus/materials/inelastic_kernel.h>
#include <delassus/materials/material.h>

namespace delassus
{
/// Laws without history.
class ElasticMaterial : public Material
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
  explicit ElasticMaterial(const MaterialParameters &parameters);

  double lambda() const
  {
    return bulk - 2. / 3. * shear;
  }

  const double shear, bulk;
};

/// Hooke's law on the reference configuration,
/// sigma = kappa tr(eps) I + 2 mu dev(eps).
class SmallStrainElastic final : public ElasticMaterial
{
public:
  explicit SmallStrainElastic(const MaterialParameters &parameters)
      : ElasticMaterial(parameters)
  {
  }
  bool is_finite_strain() const override
  {
    return false;
  }
  bool respond(const dealii::Tensor<2, 3> &F,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               MaterialResponse &response) const override;
};

/// psi = lambda/2 tr(E)^2 + mu E : E of Green's strain E = (C - I)/2. For
/// large rotations and small strains: it softens in compression.
class SaintVenantKirchhoff final : public ElasticMaterial
{
public:
  explicit SaintVenantKirchhoff(const MaterialParameters &parameters)
      : ElasticMaterial(parameters)
  {
  }
  bool is_finite_strain() const override
  {
    return true;
  }
  bool respond(const dealii::Tensor<2, 3> &F,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               MaterialResponse &response) const override;
};

/// psi = mu/2 (tr C - 3 - 2 ln J) + lambda/2 (ln J)^2, so that
/// tau = mu (b - I) + lambda ln J I.
class NeoHookean final : public ElasticMaterial
{
public:
  explicit NeoHookean(const MaterialParameters &parameters)
      : ElasticMaterial(parameters)
  {
  }
  bool is_finite_strain() const override
  {
    return true;
  }
  bool respond(const dealii::Tensor<2, 3> &F,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               MaterialResponse &response) const override;
};

/// An inelastic kernel in small perturbations: its trial strain is
/// sym(F) - I - eps_i. History: eps_i (xx yy zz xy yz zx, tensor components),
/// then the state of the kernel.
template <typename Kernel>
class SmallStrainInelastic final : public Material
{
public:
  explicit SmallStrainInelastic(const MaterialParameters &parameters)
      : Material(parameters)
      , kernel(parameters)
  {
  }
  bool is_finite_strain() const override
  {
    return false;
  }
  unsigned int n_history() const override
  {
    return 6 + kernel.n_state();
  }
  void initialize(double *history) const override;
  bool respond(const dealii::Tensor<2, 3> &F,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               MaterialResponse &response) const override;
  std::vector<MaterialField> fields() const override
  {
    return { { Kernel::field, 6 } };
  }
  bool is_elastic() const override
  {
    return false;
  }

private:
  Kernel kernel;
};

/// An inelastic kernel in logarithmic strain, F = Fe Fi: see multiplicative.h,
/// also for the history.
template <typename Kernel>
class FiniteStrainInelastic final : public Material
{
public:
  explicit FiniteStrainInelastic(const MaterialParameters &parameters)
      : Material(parameters)
      , kernel(parameters)
  {
  }
  bool is_finite_strain() const override
  {
    return true;
  }
  unsigned int n_history() const override
  {
    return 9 + kernel.n_state();
  }
  void initialize(double *history) const override;
  bool respond(const dealii::Tensor<2, 3> &F,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               MaterialResponse &response) const override;
  std::vector<MaterialField> fields() const override
  {
    return { { Kernel::field, 9 } };
  }
  bool is_elastic() const override
  {
    return false;
  }

private:
  Kernel kernel;
};

/// Any law in plane stress: F_zz (whatever comes in) is found so that
/// tau_zz = 0, and eliminated from the tangent, whose row and column zz are
/// zero. History: that of the law, then ln F_zz (small strain: eps_zz).
class PlaneStress final : public Material
{
public:
  explicit PlaneStress(std::unique_ptr<Material> law);

  bool is_finite_strain() const override
  {
    return law->is_finite_strain();
  }
  unsigned int n_history() const override
  {
    return law->n_history() + 1;
  }
  void initialize(double *history) const override;
  bool respond(const dealii::Tensor<2, 3> &F,
               const double h,
               const double *begin,
               double *end,
               const bool with_tangent,
               MaterialResponse &response) const override;
  std::vector<MaterialField> fields() const override;
  bool is_elastic() const override
  {
    return law->is_elastic();
  }

private:
  const std::unique_ptr<Material> law;
};
} // namespace delassus

#endif
