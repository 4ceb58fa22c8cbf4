#include <delassus/materials/linear_elastic.h>
#include <delassus/materials/logarithmic_plane.h>
#include <delassus/shell_systems/results/sheet_fields.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
/// The share of a step for which laws are asked again: what has a rate does not
/// flow any further, and keeps its overstress.
constexpr double instant = 1e-9;

std::vector<dealii::Point<2>> points_of_plane()
{
  const double at = std::sqrt(1. / 3.);
  std::vector<dealii::Point<2>> result;
  for (unsigned int p = 0; p < 4; ++p)
    result.emplace_back(at * shell_xi[p], at * shell_eta[p]);
  return result;
}

std::vector<dealii::Point<2>> corners_of_plane()
{
  std::vector<dealii::Point<2>> result;
  for (unsigned int i = 0; i < 4; ++i)
    result.emplace_back(shell_xi[i], shell_eta[i]);
  return result;
}

Vector3 vector(const ShellValues &z, const unsigned int k)
{
  return { { z[3 * k], z[3 * k + 1], z[3 * k + 2] } };
}

double at_point(const std::array<double, 4> &values, const ShellPoint &p)
{
  double sum = 0.;
  for (unsigned int i = 0; i < 4; ++i)
    sum +=
        0.25 * (1. + shell_xi[i] * p.r) * (1. + shell_eta[i] * p.s) * values[i];
  return sum;
}

/// A symmetric tensor of the plane with the components 11, 22, 12, and one
/// across it, in the axes of space: xx yy zz xy yz zx.
Voigt in_space(const std::array<double, 3> &plane,
               const double across,
               const Vector3 &e1,
               const Vector3 &e2,
               const Vector3 &n)
{
  static constexpr unsigned int first[] = { 0, 1, 2, 0, 1, 2 },
                                other[] = { 0, 1, 2, 1, 2, 0 };
  Voigt result;
  for (unsigned int k = 0; k < 6; ++k)
  {
    const unsigned int a = first[k], b = other[k];
    result[k] = plane[0] * e1[a] * e1[b] + plane[1] * e2[a] * e2[b] +
                plane[2] * (e1[a] * e2[b] + e2[a] * e1[b]) +
                across * n[a] * n[b];
  }
  return result;
}

template <std::size_t n>
void add(const double weight,
         const std::array<double, n> &a,
         std::array<double, n> &to)
{
  for (std::size_t i = 0; i < n; ++i)
    to[i] += weight * a[i];
}
} // namespace

SheetFields::SheetFields(const ShellModel &model,
                         std::vector<std::string> histories,
                         const double h,
                         const bool layers)
    : model(model)
    , names(std::move(histories))
    , h(h)
    , every_layer(layers)
    , extrapolation(points_of_plane(), corners_of_plane())
    , tensors(4)
    , scalars(4)
{
  set_state();
}

void SheetFields::add_histories(const ShellModel &model,
                                std::vector<std::string> &names)
{
  const ShellSection *last = nullptr;
  for (unsigned int q = 0; q < model.n_quads(); ++q)
  {
    if (&model.section(q) == last)
      continue;
    last = &model.section(q);
    for (const auto &point : last->points())
      for (const auto &field : point.law->fields())
        if (std::find(names.begin(), names.end(), field.name) == names.end())
          names.push_back(field.name);
  }
}

void SheetFields::set_state()
{
  // Means over the elements of a director, as the model takes them over: faces
  // of neighbours meet.
  const auto &directors = model.reference_directors();
  std::vector<double> weight(directors.director.size(), 0.);
  growth.assign(directors.director.size(), 0.);
  for (unsigned int q = 0; q < model.n_quads(); ++q)
  {
    const auto &e     = model.accepted_thickness_strain(q);
    const double mean = 0.25 * (e[0] + e[1] + e[2] + e[3]),
                 area = model.geometry(q).area;
    for (const unsigned int k : directors.corner[q])
    {
      growth[k] += mean * area;
      weight[k] += area;
    }
  }
  for (std::size_t k = 0; k < growth.size(); ++k)
    growth[k] = weight[k] > 0. ? std::exp(growth[k] / weight[k]) : 1.;
}

void SheetFields::find_levels()
{
  const ShellSection &section = model.section(quad);
  if (of_levels == &section)
    return;
  of_levels          = &section;
  const auto &layers = section.layers();
  all_levels.clear();
  if (every_layer && layers.size() > 1)
    for (unsigned int l = 0; l < layers.size(); ++l)
    {
      all_levels.push_back({ layers[l].from, l });
      all_levels.push_back({ layers[l].to, l });
    }
  else
  {
    unsigned int middle = 0;
    while (middle + 1 < layers.size() && !(layers[middle].to > 0.))
      ++middle;
    all_levels = { { -1., 0 },
                   { 0., middle },
                   { 1., static_cast<unsigned int>(layers.size() - 1) } };
  }
  const auto &places = section.points();
  between.clear();
  index.clear();
  for (const Level &level : all_levels)
  {
    const auto &layer = layers[level.layer];
    // Points are ascending.
    unsigned int above = layer.first;
    while (above + 1 < layer.first + layer.n && places[above].zeta < level.zeta)
      ++above;
    const unsigned int below = above > layer.first ? above - 1 : above;
    const double from = places[below].zeta, to = places[above].zeta,
                 share =
                     below == above
                         ? 1.
                         : std::min(
                               1.,
                               std::max(0., (level.zeta - from) / (to - from)));
    between.push_back({ { below, above }, { 1. - share, share } });
    index.emplace_back(names.size(), -1);
    for (const auto &field : places[above].law->fields())
    {
      const auto found = std::find(names.begin(), names.end(), field.name);
      if (found != names.end())
        index.back()[found - names.begin()] = field.first;
    }
  }
  std::size_t n_history = 0;
  for (const auto &place : places)
    n_history = std::max<std::size_t>(n_history, place.law->n_history());
  scratch.resize(n_history + 1);
  const std::size_t n = all_levels.size();
  for (auto &point : points)
  {
    point.frames.resize(n);
    point.answers.resize(n);
    point.material.resize(n);
    point.histories.assign(n * names.size(), 0.);
  }
  corners.resize(4 * n);
  for (auto &corner : corners)
    corner.histories.assign(names.size(), 0.);
}

bool SheetFields::find_frame(const unsigned int p,
                             const double zeta,
                             Frame &frame) const
{
  const ShellPoint &point = model.geometry(quad).point[p];
  // The stretch that the element's strain is, U = (C + sqrt(det C) I) / (trace
  // of U).
  const auto E = shell_strain(model.geometry(quad),
                              model.formulation(),
                              z,
                              model.beginning().modes[quad],
                              p,
                              zeta);
  LogarithmicPlane logarithm;
  if (!logarithm.set(E))
    return false;
  const double C11 = 1. + 2. * E[0], C22 = 1. + 2. * E[1], C12 = E[2],
               root  = std::sqrt(C11 * C22 - C12 * C12),
               trace = std::sqrt(C11 + C22 + 2. * root);
  frame.U[0][0]      = (C11 + root) / trace;
  frame.U[1][1]      = (C22 + root) / trace;
  frame.U[0][1] = frame.U[1][0] = C12 / trace;
  const auto log                = logarithm.strain();
  frame.log_strain              = { { log[0], log[1], 0.5 * log[2] } };
  const double mean             = 0.5 * (log[0] + log[1]),
               radius           = 0.5 * std::hypot(log[0] - log[1], log[2]);
  frame.major                   = mean + radius;
  frame.minor                   = mean - radius;

  // F e_k = sum_a (m^a . e_k) g_a.
  const Vector3 g[2] = { vector(z, 0) + point.s * vector(z, 2) +
                             zeta * (vector(z, 4) + point.s * vector(z, 6)),
                         vector(z, 1) + point.r * vector(z, 2) +
                             zeta * (vector(z, 5) + point.r * vector(z, 6)) };
  double base[2][2];
  for (unsigned int a = 0; a < 2; ++a)
    for (unsigned int k = 0; k < 2; ++k)
      base[a][k] = point.base[a][k] + zeta * point.base_slope[a][k];
  const double det = base[0][0] * base[1][1] - base[0][1] * base[1][0];
  const Vector3 f1 = (base[1][1] / det) * g[0] - (base[0][1] / det) * g[1],
                f2 = (base[0][0] / det) * g[1] - (base[1][0] / det) * g[0];
  // In the plane of f1, f2 the rotation of the polar decomposition turns t1, t2
  // by the angle of (F_11 + F_22, F_21 - F_12).
  frame.normal     = unit(cross(f1, f2));
  const Vector3 t1 = unit(f1), t2 = cross(frame.normal, t1);
  const double c = dot(f1, t1) + dot(f2, t2), s = -dot(f2, t1),
               length = std::hypot(c, s);
  if (!(length > 0.))
    return false;
  frame.e1 = (c / length) * t1 + (s / length) * t2;
  frame.e2 = (c / length) * t2 - (s / length) * t1;
  return true;
}

bool SheetFields::ask(const unsigned int p,
                      const unsigned int number,
                      const double zeta,
                      const Frame &frame,
                      Answer &answer)
{
  const auto &place = model.section(quad).points()[number];
  const auto E      = shell_strain(model.geometry(quad),
                              model.formulation(),
                              z,
                              model.beginning().modes[quad],
                              p,
                              zeta);
  // In the axes of the layer, and back.
  const double c = place.cosine, s = place.sine;
  const std::array<double, 3> turned = {
    { c * c * E[0] + s * s * E[1] + c * s * E[2],
      s * s * E[0] + c * c * E[1] - c * s * E[2],
      2. * c * s * (E[1] - E[0]) + (c * c - s * s) * E[2] }
  };
  SheetResponse response;
  if (!place.law->respond(turned,
                          instant * h,
                          model.accepted_history(quad, p) + place.first,
                          scratch.data(),
                          false,
                          response))
    return false;
  const auto &T        = response.stress;
  const double S[2][2] = { { c * c * T[0] + s * s * T[1] - 2. * c * s * T[2],
                             c * s * (T[0] - T[1]) + (c * c - s * s) * T[2] },
                           { c * s * (T[0] - T[1]) + (c * c - s * s) * T[2],
                             s * s * T[0] + c * c * T[1] +
                                 2. * c * s * T[2] } };
  const auto &U        = frame.U;
  const double J       = (U[0][0] * U[1][1] - U[0][1] * U[1][0]) *
                   std::exp(response.thickness_strain);
  double sigma[2][2] = {};
  for (unsigned int i = 0; i < 2; ++i)
    for (unsigned int j = 0; j < 2; ++j)
      for (unsigned int k = 0; k < 2; ++k)
        for (unsigned int l = 0; l < 2; ++l)
          sigma[i][j] += U[i][k] * S[k][l] * U[l][j] / J;
  answer.plane  = { { sigma[0][0], sigma[1][1], sigma[0][1] } };
  answer.across = response.thickness_strain;
  answer.stress = in_space(answer.plane, 0., frame.e1, frame.e2, frame.normal);
  return std::isfinite(J) && std::isfinite(von_mises(answer.stress));
}

void SheetFields::look_at(const unsigned int p)
{
  const ShellPoint &plane = model.geometry(quad).point[p];
  const auto &places      = model.section(quad).points();
  OfPoint &here           = points[p];
  here.force = here.moment = { { 0., 0., 0. } };
  // dV of a point is what its stretch across makes of the thickness at rest;
  // the lever is that of the directors.
  const double half  = at_point(model.geometry(quad).half, plane),
               lever = at_point(model.accepted_half(quad), plane);
  through.assign(places.size(), Answer{});
  for (unsigned int k = 0; k < places.size(); ++k)
  {
    Frame frame;
    if (!find_frame(p, places[k].zeta, frame) ||
        !ask(p, k, places[k].zeta, frame, through[k]))
      continue; // a state that has been accepted has answers
    known_stresses.push_back(through[k].stress);
    const double length = places[k].weight * half * std::exp(through[k].across);
    add(length, through[k].plane, here.force);
    add(length * places[k].zeta * lever, through[k].plane, here.moment);
  }
  for (unsigned int l = 0; l < all_levels.size(); ++l)
  {
    const double zeta      = all_levels[l].zeta;
    const Between &of      = between[l];
    const unsigned int one = of.weight[1] > 0.5 ? 1 : 0, near = of.point[one];
    Frame &frame = here.frames[l];
    const bool is_place =
        find_frame(p, zeta, frame) || find_frame(p, places[near].zeta, frame);
    if (!is_place)
      frame = Frame();
    Answer &answer = here.answers[l];
    answer         = Answer();
    if (!(is_place && places[near].law->is_elastic() &&
          ask(p, near, zeta, frame, answer)))
    {
      answer = Answer();
      for (unsigned int i = 0; i < 2; ++i)
      {
        add(of.weight[i], through[of.point[i]].stress, answer.stress);
        answer.across += of.weight[i] * through[of.point[i]].across;
      }
    }
    known_stresses.push_back(answer.stress);
    here.material[l] =
        places[near].cosine * frame.e1 + places[near].sine * frame.e2;
    for (unsigned int n = 0; n < names.size(); ++n)
    {
      double &value = here.histories[l * names.size() + n];
      value         = 0.;
      if (index[l][n] < 0)
        continue;
      const double *known = model.accepted_history(quad, p) + index[l][n];
      for (unsigned int i = 0; i < 2; ++i)
        value += of.weight[i] * known[places[of.point[i]].first];
    }
  }
}

void SheetFields::to_corners()
{
  const auto scalar = [this](const unsigned int i, auto &&of_point)
  {
    for (unsigned int p = 0; p < 4; ++p)
      scalars[p] = of_point(points[p]);
    return extrapolation.scalar(scalars, i);
  };
  const auto &directors = model.reference_directors().corner[quad];
  for (unsigned int i = 0; i < 4; ++i)
  {
    Section &section = sections[i];
    section.thickness =
        2. * model.geometry(quad).half[i] * growth[directors[i]];
    section.thinning = 1. - growth[directors[i]];
    for (unsigned int c = 0; c < 3; ++c)
    {
      section.force[c] =
          scalar(i, [c](const OfPoint &at) { return at.force[c]; });
      section.moment[c] =
          scalar(i, [c](const OfPoint &at) { return at.moment[c]; });
    }
    for (unsigned int l = 0; l < all_levels.size(); ++l)
    {
      Values &values = corners[4 * l + i];
      for (unsigned int p = 0; p < 4; ++p)
        tensors[p] = points[p].answers[l].stress;
      values.stress = extrapolation.stress(tensors, i);
      for (unsigned int p = 0; p < 4; ++p)
      {
        const Frame &frame = points[p].frames[l];
        tensors[p]         = in_space(frame.log_strain,
                              points[p].answers[l].across,
                              frame.e1,
                              frame.e2,
                              frame.normal);
      }
      values.strain = extrapolation.strain(tensors, i);
      values.major =
          scalar(i, [l](const OfPoint &at) { return at.frames[l].major; });
      values.minor =
          scalar(i, [l](const OfPoint &at) { return at.frames[l].minor; });
      values.across =
          scalar(i, [l](const OfPoint &at) { return at.answers[l].across; });
      for (unsigned int c = 0; c < 3; ++c)
        values.material[c] =
            scalar(i, [l, c](const OfPoint &at) { return at.material[l][c]; });
      values.material = unit(values.material);
      for (unsigned int n = 0; n < names.size(); ++n)
        values.histories[n] =
            scalar(i,
                   [&](const OfPoint &at)
                   { return at.histories[l * names.size() + n]; });
    }
  }
}

void SheetFields::reinit(const unsigned int new_quad)
{
  quad = new_quad;
  find_levels();
  const ShellState &state = model.beginning();
  std::array<Vector3, 4> x, d;
  for (unsigned int i = 0; i < 4; ++i)
  {
    x[i] = state.x[model.reference().quads[quad][i]];
    d[i] = director(i);
  }
  z = shell_values(x, d, model.accepted_half(quad));
  known_stresses.clear();
  for (unsigned int p = 0; p < 4; ++p)
    look_at(p);
  to_corners();
}

const Vector3 &SheetFields::director(const unsigned int corner) const
{
  return model.beginning().d[model.reference_directors().corner[quad][corner]];
}

Vector3 SheetFields::rest(const unsigned int corner, const double zeta) const
{
  const auto &directors = model.reference_directors();
  return model.reference().nodes[model.reference().quads[quad][corner]] +
         zeta * model.geometry(quad).half[corner] *
             directors.director[directors.corner[quad][corner]];
}

Vector3 SheetFields::displacement(const unsigned int corner,
                                  const double zeta) const
{
  return model.beginning().x[model.reference().quads[quad][corner]] +
         0.5 * zeta * sections[corner].thickness * director(corner) -
         rest(corner, zeta);
}
} // namespace delassus
