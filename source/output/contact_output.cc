#include <delassus/output/contact_output.h>
#include <delassus/output/point_cloud.h>
#include <delassus/output/tensor_components.h>

#include "sheet_arms.h"

#include <cmath>

namespace delassus
{
using namespace dealii;

template <int dim>
void write_contacts(const std::string &path,
                    const ContactFields<dim> &fields,
                    const std::string &stage)
{
  std::vector<std::string> scalars = {
    "gap",         "normal_force", "tangential_force", "status",
    "interaction", "area",         "converged"
  };
  std::vector<std::string> vectors = { "normal",
                                       "reaction",
                                       "sliding_velocity" };
  for (const auto &field : fields.of_laws)
    (field.is_vector ? vectors : scalars).push_back(field.name);
  PointCloud<dim> cloud(scalars, vectors, {});
  const auto &contacts = *fields.contacts;
  // Unknown for contacts of a step that failed.
  const std::vector<double> zero(dim * contacts.size());
  const auto known = [&](const std::vector<double> &values,
                         const unsigned int n) -> const std::vector<double> &
  { return values.size() == n * contacts.size() ? values : zero; };
  const auto &gaps = known(*fields.gaps, 1), &U = known(*fields.U, dim);
  std::vector<double> values;
  for (unsigned int a = 0; a < contacts.size(); ++a)
  {
    const auto &contact = contacts[a];
    const auto &point   = fields.surfaces->points[contact.point];
    const double *P     = &(*fields.P)[dim * a];
    double tangential   = 0.;
    for (unsigned int c = 1; c < dim; ++c)
      tangential += P[c] * P[c];
    values = { gaps[a],
               P[0] / fields.h,
               std::sqrt(tangential) / fields.h,
               double(static_cast<unsigned int>((*fields.status)[a])),
               double(contact.interaction),
               contact.area,
               fields.converged ? 1. : 0. };
    for (const auto &field : fields.of_laws)
      if (!field.is_vector)
        values.push_back(field.values[a]);
    const Tensor<1, dim> normal   = contact.normal();
    const Tensor<1, dim> reaction = contact.to_global(P) / fields.h;
    std::array<double, dim> sliding{};
    for (unsigned int c = 1; c < dim; ++c)
      sliding[c] = U[dim * a + c];
    const Tensor<1, dim> sliding_velocity = contact.to_global(sliding.data());
    for (const auto &vector : { normal, reaction, sliding_velocity })
      for (unsigned int c = 0; c < dim; ++c)
        values.push_back(vector[c]);
    for (const auto &field : fields.of_laws)
      if (field.is_vector)
        values.insert(
            values.end(), &field.values[dim * a], &field.values[dim * a] + dim);
    cloud.add_point(fields.surfaces->position(point, *fields.positions),
                    values);
  }
  cloud.write_vtu(path, stage);
}

template <int dim>
std::vector<Voigt> moment_stresses(const std::vector<PiecePlace<dim>> &places,
                                   const ContactFields<dim> &fields)
{
  const auto &surfaces = *fields.surfaces;
  std::vector<Voigt> stresses(surfaces.n_pieces(), Voigt{});
  const SheetArms<dim> arms(surfaces, places.size());
  for (unsigned int a = 0; a < fields.contacts->size(); ++a)
  {
    const auto &contact = (*fields.contacts)[a];
    const Tensor<1, dim> force =
        contact.to_global(&(*fields.P)[dim * a]) / fields.h;
    // Each nodal share of the reaction acts at its node: the sum over a
    // side's nodes is OP (x) r at the contact point.
    for (unsigned int i = 0; i < contact.n_entries; ++i)
    {
      const unsigned int n = contact.nodes[i];
      const unsigned int p = surfaces.nodes[n].piece;
      if (p >= places.size()) // rigid
        continue;
      const auto &place = places[p];
      const auto &x = place.present ? *fields.positions : surfaces.reference;
      Tensor<1, dim> arm;
      for (unsigned int c = 0; c < dim; ++c)
        arm[c] = x[dim * n + c] - (arms.is_arm(n) ? 0. : place.centre[c]);
      const Tensor<1, dim> share = (contact.weights[i] / place.volume) * force;
      auto &sigma                = stresses[p];
      sigma[0] += arm[0] * share[0];
      sigma[1] += arm[1] * share[1];
      sigma[3] += 0.5 * (arm[0] * share[1] + arm[1] * share[0]);
      if constexpr (dim == 3)
      {
        sigma[2] += arm[2] * share[2];
        sigma[4] += 0.5 * (arm[1] * share[2] + arm[2] * share[1]);
        sigma[5] += 0.5 * (arm[2] * share[0] + arm[0] * share[2]);
      }
    }
  }
  return stresses;
}

template <int dim>
void write_blocks(const std::string &path,
                  const std::vector<PiecePlace<dim>> &places,
                  const std::vector<Voigt> &stresses,
                  const std::string &stage)
{
  std::vector<std::string> scalars = { "volume" }, vectors;
  for (const char *component : tensor_components)
    scalars.push_back(std::string("moment_stress_") + component);
  for (unsigned int i = 1; i <= dim; ++i)
  {
    scalars.push_back("principal_stress_" + std::to_string(i));
    vectors.push_back("principal_direction_" + std::to_string(i));
  }
  PointCloud<dim> cloud(scalars, vectors, {});
  for (unsigned int p = 0; p < places.size(); ++p)
  {
    const Voigt &s             = stresses[p];
    const auto pairs           = eigenvectors(stress_tensor<dim>(s),
                                    SymmetricTensorEigenvectorMethod::jacobi);
    std::vector<double> values = { places[p].volume };
    values.insert(values.end(), s.begin(), s.end());
    for (unsigned int i = 0; i < dim; ++i)
      values.push_back(pairs[i].first);
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int c = 0; c < dim; ++c)
        values.push_back(pairs[i].second[c]);
    cloud.add_point(places[p].centre, values);
  }
  cloud.write_vtu(path, stage);
}

#define INSTANTIATE(dim)                                                       \
  template void write_contacts<dim>(                                           \
      const std::string &, const ContactFields<dim> &, const std::string &);   \
  template std::vector<Voigt> moment_stresses<dim>(                            \
      const std::vector<PiecePlace<dim>> &, const ContactFields<dim> &);       \
  template void write_blocks<dim>(const std::string &,                         \
                                  const std::vector<PiecePlace<dim>> &,        \
                                  const std::vector<Voigt> &,                  \
                                  const std::string &)
INSTANTIATE(2);
INSTANTIATE(3);
#undef INSTANTIATE
} // namespace delassus
