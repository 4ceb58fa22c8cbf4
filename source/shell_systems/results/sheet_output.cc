#include <delassus/output/tensor_components.h>
#include <delassus/shell_systems/results/sheet_fields.h>
#include <delassus/shell_systems/results/sheet_output.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
using namespace dealii;

namespace
{
/// Where the vertices of a face are among the carriers, for each side (outer,
/// inner) and each corner of each quad: faces come piece by piece, quad by
/// quad, and inner ones go round the other way.
using FaceVertices = std::array<std::vector<std::array<unsigned int, 4>>, 2>;

FaceVertices face_vertices(const ShellSkin &skin)
{
  FaceVertices result;
  for (unsigned int side = 0; side < 2; ++side)
    for (const unsigned int f :
         skin.surface(side == 0 ? "outer" : "inner", "results"))
    {
      const auto &nodes = skin.skin_faces()[f].nodes;
      if (side == 0)
        result[side].push_back({ { nodes[0], nodes[1], nodes[2], nodes[3] } });
      else
        result[side].push_back({ { nodes[3], nodes[2], nodes[1], nodes[0] } });
    }
  return result;
}

class SheetCells
{
public:
  SheetCells(const std::vector<SheetShown> &sheets,
             const double h,
             const bool layers,
             StressExtrema &extrema)
      : h(h)
      , layers(layers)
      , extrema(extrema)
  {
    find_columns(sheets);
    for (const auto &shown : sheets)
      add(shown);
  }

  VtuPiece piece;

private:
  void add_field(const std::string &name, const unsigned int n = 1)
  {
    piece.fields.push_back({ name, n, {} });
  }

  void find_columns(const std::vector<SheetShown> &sheets)
  {
    add_field("displacement", 3);
    add_field("velocity", 3);
    for (const auto *component : tensor_components)
      add_field(std::string("stress_") + component);
    add_field("von_mises_stress");
    for (const char *i : { "1", "2", "3" })
      add_field(std::string("principal_stress_") + i);
    for (const char *i : { "1", "2", "3" })
      add_field(std::string("principal_direction_") + i, 3);
    add_field("body");
    add_field("piece");
    for (const auto *component : tensor_components)
      add_field(std::string("moment_stress_") + component);
    for (const auto *component : tensor_components)
      add_field(std::string("strain_") + component);
    for (const auto &shown : sheets)
      has_contact = has_contact || shown.contact != nullptr;
    if (has_contact)
    {
      add_field("contact_pressure");
      add_field("contact_traction", 3);
    }
    for (const char *name :
         { "volume_ratio", "largest_log_strain", "smallest_log_strain" })
      add_field(name);
    for (const auto &shown : sheets)
      for (unsigned int p = 0; p < shown.sheet->n_pieces(); ++p)
        SheetFields::add_histories(shown.sheet->piece(p).model(), histories);
    for (const auto &name : histories)
      add_field(name);
    for (const char *name :
         { "thickness", "thinning", "major_strain", "minor_strain" })
      add_field(name);
    for (const char *name : { "section_force",
                              "section_moment",
                              "director",
                              "material_direction" })
      add_field(name, 3);
    if (layers)
      add_field("layer");
  }

  /// Values come field by field, point by point. A single number that is none
  /// would spoil a whole picture.
  void write(const double value)
  {
    while (piece.fields[column].values.size() ==
           piece.fields[column].n_components * (piece.n_points() + 1))
      ++column;
    piece.fields[column].values.push_back(
        std::isfinite(value) ? static_cast<float>(value) : 0.f);
  }
  void write(const Vector3 &vector)
  {
    for (const double value : vector)
      write(value);
  }

  void add(const SheetShown &shown)
  {
    const ShellSystem &sheet  = *shown.sheet;
    const auto vertices       = face_vertices(sheet.skin());
    unsigned int first_of_all = 0; // quad of the piece among all
    for (unsigned int p = 0; p < sheet.n_pieces(); ++p)
    {
      const auto &model = sheet.piece(p).model();
      if (sheet.owns(p))
      {
        SheetFields fields(model, histories, h, layers);
        for (unsigned int q = 0; q < model.n_quads(); ++q)
        {
          fields.reinit(q);
          for (const Voigt &stress : fields.all_stresses())
            look_at(stress);
          add_cells(fields.levels());
          for (unsigned int l = 0; l < fields.levels().size(); ++l)
            for (unsigned int i = 0; i < 4; ++i)
              add_point(shown, p, q, vertices, first_of_all + q, fields, l, i);
        }
      }
      first_of_all += model.n_quads();
    }
  }

  void look_at(const Voigt &stress)
  {
    const auto principal = eigenvalues(stress_tensor<3>(stress));
    extrema.largest_principal =
        std::max(extrema.largest_principal, principal[0]);
    extrema.smallest_principal =
        std::min(extrema.smallest_principal, principal[2]);
    extrema.von_mises = std::max(extrema.von_mises, von_mises(stress));
  }

  /// VTK's hexahedra between the levels of one layer: round the lower one, then
  /// round the upper one.
  void add_cells(const std::vector<SheetFields::Level> &levels)
  {
    const auto first = static_cast<std::int32_t>(piece.n_points());
    const bool whole = !layers || levels.back().layer == 0;
    for (unsigned int l = 0; l + 1 < levels.size(); ++l)
    {
      if (!whole && levels[l].layer != levels[l + 1].layer)
        continue;
      for (unsigned int k = 0; k < 8; ++k)
        piece.connectivity.push_back(first + static_cast<int>(4 * l + k));
      piece.offsets.push_back(
          static_cast<std::int32_t>(piece.connectivity.size()));
      piece.types.push_back(12);
    }
  }

  void add_point(const SheetShown &shown,
                 const unsigned int p,
                 const unsigned int q,
                 const FaceVertices &vertices,
                 const unsigned int quad_of_all,
                 const SheetFields &fields,
                 const unsigned int l,
                 const unsigned int i)
  {
    const ShellPiece &of = shown.sheet->piece(p);
    const auto &model    = of.model();
    const double zeta    = fields.levels()[l].zeta;
    const auto &values   = fields.values(l, i);
    const auto &section  = fields.section(i);
    column               = 0;
    write(fields.displacement(i, zeta));
    // d' of the director is that of a length of one.
    const unsigned int director = model.reference_directors().corner[q][i];
    write(of.carrier_value(CarrierField::velocity,
                           model.reference().quads[q][i]) +
          (zeta * 0.5 * section.thickness / of.length(director)) *
              of.carrier_value(CarrierField::velocity,
                               model.n_nodes() + director));
    for (const double s : values.stress)
      write(s);
    write(von_mises(values.stress));
    const auto pairs = eigenvectors(stress_tensor<3>(values.stress),
                                    SymmetricTensorEigenvectorMethod::jacobi);
    for (const auto &pair : pairs)
      write(pair.first);
    for (const auto &pair : pairs)
      for (unsigned int c = 0; c < 3; ++c)
        write(pair.second[c]);
    write(shown.number);
    write(p);
    for (const double s : (*shown.moment_stress)[p])
      write(s);
    for (const double e : values.strain)
      write(e);
    if (has_contact)
    {
      std::array<double, 4> contact{};
      const bool is_face = l == 0 || l + 1 == fields.levels().size();
      if (is_face && shown.contact != nullptr)
      {
        const auto found =
            shown.contact->find(vertices[l == 0 ? 1 : 0][quad_of_all][i]);
        if (found != shown.contact->end())
          contact = found->second;
      }
      for (const double value : contact)
        write(value);
    }
    write(std::exp(values.major + values.minor + values.across));
    write(std::max(values.major, values.across));
    write(std::min(values.minor, values.across));
    for (const double value : values.histories)
      write(value);
    for (const double value :
         { section.thickness, section.thinning, values.major, values.minor })
      write(value);
    write(section.force);
    write(section.moment);
    write(fields.director(i));
    write(values.material);
    if (layers)
      write(fields.levels()[l].layer);
    for (const double x : fields.rest(i, zeta))
      piece.points.push_back(static_cast<float>(x));
  }

  const double h;
  const bool layers;
  StressExtrema &extrema;
  bool has_contact = false;
  std::vector<std::string> histories;
  std::size_t column = 0; ///< that the next value is of
};
} // namespace

VtuPiece sheet_piece(const std::vector<SheetShown> &sheets,
                     const double h,
                     const bool layers,
                     StressExtrema &extrema)
{
  return std::move(SheetCells(sheets, h, layers, extrema).piece);
}

std::vector<PiecePlace<3>>
places_of_sheets(const std::vector<SheetShown> &sheets, MPI_Comm communicator)
{
  // Mass, volume and mass times place, of this rank's pieces.
  std::vector<double> sums;
  for (const auto &shown : sheets)
    for (unsigned int p = 0; p < shown.sheet->n_pieces(); ++p)
    {
      const std::size_t first = sums.size();
      sums.resize(first + 5, 0.);
      if (!shown.sheet->owns(p))
        continue;
      const auto &model = shown.sheet->piece(p).model();
      for (unsigned int q = 0; q < model.n_quads(); ++q)
      {
        const auto &geometry = model.geometry(q);
        const auto &quad     = model.reference().quads[q];
        std::array<double, 4> mass, rotary;
        shell_mass(geometry, model.section(q), mass, rotary);
        for (unsigned int i = 0; i < 4; ++i)
        {
          sums[first] += mass[i];
          for (unsigned int c = 0; c < 3; ++c)
            sums[first + 2 + c] += mass[i] * model.beginning().x[quad[i]][c];
        }
        // Of the present area, as the corners say, and thickness.
        const auto &x = model.beginning().x;
        const double A =
            0.5 * norm(cross(x[quad[0]] - x[quad[2]], x[quad[1]] - x[quad[3]]));
        for (unsigned int k = 0; k < 4; ++k)
          sums[first + 1] += 0.5 * A * geometry.half[k] *
                             std::exp(model.accepted_thickness_strain(q)[k]);
      }
    }
  Utilities::MPI::sum(sums, communicator, sums);
  std::vector<PiecePlace<3>> places;
  for (std::size_t i = 0; i < sums.size(); i += 5)
  {
    PiecePlace<3> place;
    for (unsigned int c = 0; c < 3; ++c)
      place.centre[c] = sums[i + 2 + c] / sums[i];
    place.volume  = sums[i + 1];
    place.present = true;
    places.push_back(place);
  }
  return places;
}
} // namespace delassus
