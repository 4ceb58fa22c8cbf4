#include <delassus/base/exceptions.h>
#include <delassus/shells/shell_section.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace delassus
{
namespace
{
constexpr double pi = 3.14159265358979323846;

/// Legendre's polynomial P_n and P_{n-1} at x.
void legendre(const unsigned int n, const double x, double &P, double &P_before)
{
  P        = 1.;
  P_before = 0.;
  for (unsigned int k = 1; k <= n; ++k)
  {
    const double next = ((2. * k - 1.) * x * P - (k - 1.) * P_before) / k;
    P_before          = P;
    P                 = next;
  }
}
} // namespace

void thickness_rule(const ThicknessRule rule,
                    const unsigned int n_points,
                    std::vector<double> &points,
                    std::vector<double> &weights)
{
  const bool gauss            = rule == ThicknessRule::gauss;
  const unsigned int n        = n_points;
  constexpr unsigned int most = 100;
  points.assign(n, 0.);
  weights.assign(n, 0.);
  for (unsigned int i = 0; i < n; ++i)
  {
    // Newton's method from Chebyshev's points, to the last digit: roots of P_n,
    // or of (1 - x^2) P'_{n-1} = (n-1) (P_{n-2} - x P_{n-1}), which by
    // Legendre's equation changes by -n (n-1) P_{n-1} dx.
    double x = gauss ? -std::cos(pi * (i + 0.75) / (n + 0.5))
                     : -std::cos(pi * i / (n - 1.)),
           P = 0., before = 0.;
    const bool is_end = !gauss && (i == 0 || i + 1 == n);
    for (unsigned int k = 0; k < most; ++k)
    {
      legendre(gauss ? n : n - 1, x, P, before);
      const double step = gauss    ? P * (x * x - 1.) / (n * (x * P - before))
                          : is_end ? 0.
                                   : (x * P - before) / (n * P);
      x -= step;
      if (std::abs(step) <= 2. * std::numeric_limits<double>::epsilon())
        break;
    }
    legendre(gauss ? n : n - 1, x, P, before);
    const double slope = gauss ? n * (x * P - before) / (x * x - 1.) : 0.;
    points[i]          = x;
    weights[i]         = gauss ? 2. / ((1. - x * x) * slope * slope)
                               : 2. / (n * (n - 1.) * P * P);
  }
}

ShellSection::ShellSection(const std::vector<ShellLayer> &layers,
                           const double shear_correction)
{
  double sum = 0.;
  for (std::size_t l = 0; l < layers.size(); ++l)
  {
    const ShellLayer &layer  = layers[l];
    const unsigned int least = layer.rule == ThicknessRule::lobatto ? 2u : 1u;
    if (layer.law == nullptr)
      throw InputError(fmt::format("Layer {} of a shell has no material.", l));
    if (!(layer.fraction > 0.))
      throw InputError(
          fmt::format("Layer {} of a shell takes the share {} of the "
                      "thickness: shares are positive.",
                      l,
                      layer.fraction));
    if (layer.n_points < least)
      throw InputError(fmt::format(
          "Layer {} of a shell has {} points through the thickness: its rule "
          "takes at least {}.",
          l,
          layer.n_points,
          least));
    sum += layer.fraction;
  }
  if (!(std::abs(sum - 1.) <=
        8. * layers.size() * std::numeric_limits<double>::epsilon()))
    throw InputError(fmt::format(
        "The layers of a shell take the share {} of the thickness: their sum "
        "is to be 1.",
        sum));
  if (!(shear_correction > 0.))
    throw InputError(fmt::format(
        "The shear correction {} of a shell is to be positive (5/6 where the "
        "material is the same through the thickness).",
        shear_correction));

  double from = -1.;
  std::vector<double> points, weights;
  for (const ShellLayer &layer : layers)
  {
    thickness_rule(layer.rule, layer.n_points, points, weights);
    all_layers.push_back({ from,
                           from + 2. * layer.fraction,
                           static_cast<unsigned int>(all_points.size()),
                           layer.n_points });
    const double c = std::cos(layer.angle), s = std::sin(layer.angle);
    const std::array<double, 2> G = layer.law->shear_moduli();
    for (std::size_t k = 0; k < points.size(); ++k)
    {
      Point point;
      point.zeta   = from + layer.fraction * (1. + points[k]);
      point.weight = layer.fraction * weights[k];
      point.law    = layer.law;
      point.cosine = c;
      point.sine   = s;
      point.first  = history;
      point.turned = all_points.empty() || all_points.back().cosine != c ||
                     all_points.back().sine != s;
      all_points.push_back(point);
      history += layer.law->n_history();
    }
    const double length = 2. * layer.fraction, to = from + length,
                 kappa = shear_correction * length;
    mass += length * layer.law->density();
    second_mass +=
        (to * to * to - from * from * from) / 3. * layer.law->density();
    shear_stiffness[0] += kappa * (c * c * G[0] + s * s * G[1]);
    shear_stiffness[1] += kappa * (s * s * G[0] + c * c * G[1]);
    shear_stiffness[2] += kappa * c * s * (G[0] - G[1]);
    elastic = elastic && layer.law->is_elastic();
    from    = to;
  }
}

void ShellSection::initialize(double *values) const
{
  for (const Point &point : all_points)
    point.law->initialize(values + point.first);
}
} // namespace delassus
