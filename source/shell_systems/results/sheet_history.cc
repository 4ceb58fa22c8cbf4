#include <delassus/output/tensor_components.h>
#include <delassus/shell_systems/results/sheet_history.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
const std::string plastic_strain = "plastic_strain";

void look_at_piece(const ShellModel &model, SheetExtremes &extremes)
{
  const ShellState &state = model.beginning();
  for (unsigned int q = 0; q < model.n_quads(); ++q)
  {
    const auto &geometry = model.geometry(q);
    const auto &section  = model.section(q);
    const auto &quad     = model.reference().quads[q];
    std::array<Vector3, 4> x, d;
    for (unsigned int i = 0; i < 4; ++i)
    {
      x[i] = state.x[quad[i]];
      d[i] = state.d[model.reference_directors().corner[q][i]];
    }
    const ShellValues z = shell_values(x, d, model.accepted_half(q));
    for (unsigned int p = 0; p < 4; ++p)
    {
      const double growth = std::exp(model.accepted_thickness_strain(q)[p]),
                   r = geometry.point[p].r, s = geometry.point[p].s;
      double half = 0.;
      for (unsigned int i = 0; i < 4; ++i)
        half += 0.25 * (1. + shell_xi[i] * r) * (1. + shell_eta[i] * s) *
                geometry.half[i];
      extremes.least_thickness =
          std::min(extremes.least_thickness, 2. * half * growth);
      extremes.greatest_thinning =
          std::max(extremes.greatest_thinning, 1. - growth);
      for (const double zeta : { -1., 1. })
      {
        const auto E = shell_strain(
            geometry, model.formulation(), z, state.modes[q], p, zeta);
        // The larger eigenvalue of C = I + 2 E.
        const double c = 1. + E[0] + E[1] + std::hypot(E[0] - E[1], E[2]);
        if (c > 0.)
          extremes.greatest_major_strain =
              std::max(extremes.greatest_major_strain, 0.5 * std::log(c));
      }
      const double *history = model.accepted_history(q, p);
      const SheetLaw *law   = nullptr;
      int index             = -1;
      for (const auto &point : section.points())
      {
        if (point.law != law)
        {
          law   = point.law;
          index = -1;
          for (const auto &field : law->fields())
            if (field.name == plastic_strain)
              index = field.first;
        }
        if (index >= 0)
          extremes.greatest_plastic_strain = std::max(
              extremes.greatest_plastic_strain, history[point.first + index]);
      }
    }
  }
}
} // namespace

std::vector<std::string> SheetExtremes::names(const bool is_plastic)
{
  std::vector<std::string> result = { "least_thickness",
                                      "greatest_thinning",
                                      "greatest_major_strain" };
  if (is_plastic)
    result.push_back("greatest_plastic_strain");
  return result;
}

std::vector<double> SheetExtremes::values(const bool is_plastic) const
{
  std::vector<double> result = { least_thickness,
                                 greatest_thinning,
                                 greatest_major_strain };
  if (is_plastic)
    result.push_back(greatest_plastic_strain);
  return result;
}

SheetHistory::SheetHistory(std::vector<const ShellSystem *> given)
    : sheets(std::move(given))
{
  for (const auto *sheet : sheets)
  {
    std::vector<std::string> names;
    for (unsigned int p = 0; p < sheet->n_pieces(); ++p)
      SheetFields::add_histories(sheet->piece(p).model(), names);
    plastic.push_back(std::find(names.begin(), names.end(), plastic_strain) !=
                      names.end());
  }
}

std::vector<SheetExtremes> SheetHistory::extremes(MPI_Comm communicator) const
{
  std::vector<double> all; // the largest counts
  for (const auto *sheet : sheets)
  {
    SheetExtremes of;
    for (unsigned int p = 0; p < sheet->n_pieces(); ++p)
      if (sheet->owns(p))
        look_at_piece(sheet->piece(p).model(), of);
    all.insert(all.end(),
               { -of.least_thickness,
                 of.greatest_thinning,
                 of.greatest_plastic_strain,
                 of.greatest_major_strain });
  }
  if (Utilities::MPI::n_mpi_processes(communicator) > 1)
    Utilities::MPI::max(all, communicator, all);
  std::vector<SheetExtremes> result;
  for (std::size_t i = 0; i < all.size(); i += 4)
    result.push_back({ -all[i], all[i + 1], all[i + 2], all[i + 3] });
  return result;
}

void SheetHistory::largest(std::array<double, 2> &squares) const
{
  for (const auto *sheet : sheets)
    for (unsigned int p = 0; p < sheet->n_pieces(); ++p)
    {
      if (!sheet->owns(p))
        continue;
      const auto &model = sheet->piece(p).model();
      for (unsigned int n = 0; n < model.n_nodes(); ++n)
      {
        const Vector3 u = model.beginning().x[n] - model.reference().nodes[n],
                      v = sheet->piece(p).carrier_value(CarrierField::velocity,
                                                        n);
        squares[0]      = std::max(squares[0], dot(u, u));
        squares[1]      = std::max(squares[1], dot(v, v));
      }
    }
}

Vector3 SheetHistory::place(const Node &of) const
{
  return sheets[of.sheet]->piece(of.piece).model().reference().nodes[of.node];
}

bool SheetHistory::find_nearest(const Vector3 &wanted,
                                const std::string &of_name,
                                Node &node,
                                double &distance) const
{
  bool found = false;
  for (unsigned int s = 0; s < sheets.size(); ++s)
  {
    if (!of_name.empty() && of_name != name(s))
      continue;
    for (unsigned int p = 0; p < sheets[s]->n_pieces(); ++p)
    {
      const auto &places = sheets[s]->piece(p).model().reference().nodes;
      for (unsigned int n = 0; n < places.size(); ++n)
        if (norm(places[n] - wanted) < distance)
        {
          distance = norm(places[n] - wanted);
          node     = { s, p, n };
          found    = true;
        }
    }
  }
  return found;
}

std::vector<std::string> SheetHistory::probe_columns()
{
  std::vector<std::string> columns;
  for (const char *quantity : { "u", "v", "director" })
    for (const char *axis : { "x", "y", "z" })
      columns.push_back(std::string(quantity) + "_" + axis);
  columns.push_back("thickness");
  for (const char *face : { "outer", "inner" })
    for (const char *quantity : { "stress", "strain" })
      for (const char *component : tensor_components)
        columns.push_back(std::string(face) + "_" + quantity + "_" + component);
  return columns;
}

void SheetHistory::add_probe(const Node &of,
                             const double h,
                             double *values) const
{
  const ShellSystem &sheet = *sheets[of.sheet];
  if (!sheet.owns(of.piece))
    return;
  const ShellPiece &piece = sheet.piece(of.piece);
  const ShellModel &model = piece.model();
  const Vector3 u         = model.beginning().x[of.node] -
                    model.reference().nodes[of.node],
                v = piece.carrier_value(CarrierField::velocity, of.node);
  for (unsigned int c = 0; c < 3; ++c)
  {
    values[c] += u[c];
    values[3 + c] += v[c];
  }
  // Means over the elements that share the node; of directors at a fold, too.
  std::vector<std::array<unsigned int, 2>> corners;
  for (unsigned int q = 0; q < model.n_quads(); ++q)
    for (unsigned int i = 0; i < 4; ++i)
      if (model.reference().quads[q][i] == of.node)
        corners.push_back({ { q, i } });
  SheetFields fields(model, {}, h);
  Vector3 director{ { 0., 0., 0. } };
  for (const auto &[q, i] : corners)
  {
    fields.reinit(q);
    const double share      = 1. / corners.size();
    director                = director + fields.director(i);
    const unsigned int last = fields.levels().size() - 1;
    values[9] += share * fields.section(i).thickness;
    for (unsigned int k = 0; k < 6; ++k)
    {
      values[10 + k] += share * fields.values(last, i).stress[k];
      values[16 + k] += share * fields.values(last, i).strain[k];
      values[22 + k] += share * fields.values(0, i).stress[k];
      values[28 + k] += share * fields.values(0, i).strain[k];
    }
  }
  director = unit(director);
  for (unsigned int c = 0; c < 3; ++c)
    values[6 + c] += director[c];
}

void SheetHistory::add_reaction(const std::string &condition,
                                double *force,
                                double *moment) const
{
  for (const auto *sheet : sheets)
    for (unsigned int p = 0; p < sheet->n_pieces(); ++p)
    {
      if (!sheet->owns(p))
        continue;
      const ShellPiece &piece = sheet->piece(p);
      const ShellModel &model = piece.model();
      // Holders come node by node; the first one of rotations has the moment.
      unsigned int last = model.n_nodes();
      for (const auto &holder : piece.holders())
      {
        const unsigned int c   = static_cast<unsigned int>(holder.component),
                           dof = model.dof(holder.node);
        if (c < 3)
        {
          if (holder.condition == condition)
            force[c] += piece.reaction(dof + c);
          continue;
        }
        if (holder.node == last)
          continue;
        last = holder.node;
        if (holder.condition != condition)
          continue;
        for (unsigned int k = 0; k < model.n_rotations(holder.node); ++k)
        {
          const Vector3 &axis = piece.rotation_axis(holder.node, k);
          for (unsigned int b = 0; b < 3; ++b)
            moment[b] += piece.reaction(dof + 3 + k) * axis[b];
        }
      }
    }
}
} // namespace delassus
