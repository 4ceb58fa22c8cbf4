#include <delassus/materials/hardening.h>

#include <algorithm>
#include <cmath>

namespace delassus
{
Hardening::Hardening(const MaterialParameters &material)
    : type(material.hardening)
    , yield_stress(material.yield_stress)
    , modulus(material.hardening_modulus)
    , coefficient(material.hardening_coefficient)
    , exponent(material.hardening_exponent)
    , initial_strain(type == HardeningType::swift ? material.swift_strain : 0.)
    , saturation(material.saturation_stress - material.yield_stress)
    , rate(material.saturation_rate)
    , table(material.hardening_table)
{
  if (type == HardeningType::swift)
    yield_stress = 0.; // all of it is the power
}

namespace
{
/// The first point of the table beyond a strain.
std::size_t next_point(const std::vector<std::array<double, 2>> &table,
                       const double strain)
{
  return std::upper_bound(table.begin(),
                          table.end(),
                          strain,
                          [](const double a, const std::array<double, 2> &p)
                          { return a < p[0]; }) -
         table.begin();
}

double slope_before(const std::vector<std::array<double, 2>> &table,
                    const std::size_t next)
{
  if (next == table.size() || next == 0)
    return 0.;
  return (table[next][1] - table[next - 1][1]) /
         (table[next][0] - table[next - 1][0]);
}
} // namespace

Hardening::Start Hardening::start(const double strain) const
{
  Start s;
  s.strain = strain;
  switch (type)
  {
    case HardeningType::linear:
      s.stress = yield_stress + modulus * strain;
      break;
    case HardeningType::ludwik:
    case HardeningType::swift:
    {
      const double base = initial_strain + strain;
      s.power  = base > 0. ? coefficient * std::pow(base, exponent) : 0.;
      s.stress = yield_stress + s.power;
      break;
    }
    case HardeningType::voce:
      s.power  = saturation * std::exp(-rate * strain);
      s.stress = yield_stress + modulus * strain + saturation - s.power;
      break;
    case HardeningType::table:
    {
      const std::size_t next = next_point(table, strain);
      s.stress               = table[next - 1][1] +
                 slope_before(table, next) * (strain - table[next - 1][0]);
      break;
    }
  }
  return s;
}

void Hardening::rise(const Start &from,
                     const double x,
                     double &rise,
                     double &slope) const
{
  switch (type)
  {
    case HardeningType::linear:
      rise  = modulus * x;
      slope = modulus;
      break;
    case HardeningType::ludwik:
    case HardeningType::swift:
    {
      const double base = initial_strain + from.strain;
      if (x < 1e12 * base)
        rise = from.power * std::expm1(exponent * std::log1p(x / base));
      else
        rise = coefficient * std::pow(base + x, exponent) - from.power;
      // (K b^n)' = n K b^n / b; without end at b = 0 if n < 1.
      slope = exponent * (from.power + rise) / (base + x);
      break;
    }
    case HardeningType::voce:
    {
      const double gone = -std::expm1(-rate * x);
      rise              = modulus * x + from.power * gone;
      slope             = modulus + rate * from.power * (1. - gone);
      break;
    }
    case HardeningType::table:
    {
      const Start end = start(from.strain + x);
      rise            = end.stress - from.stress;
      slope           = slope_before(table, next_point(table, from.strain + x));
      break;
    }
  }
}

double Hardening::return_to_lines(const Start &from,
                                  const double A,
                                  const double f,
                                  double &slope) const
{
  if (type == HardeningType::linear)
  {
    slope = modulus;
    return f / (A + modulus);
  }
  // Walk from kink to kink until the line reaches f.
  double x = 0., reached = 0.;
  for (std::size_t next = next_point(table, from.strain);; ++next)
  {
    slope                = slope_before(table, next);
    const double x_there = x + (f - reached) / (A + slope);
    if (next >= table.size() || x_there <= table[next][0] - from.strain)
      return x_there;
    const double x_kink = table[next][0] - from.strain;
    reached += (A + slope) * (x_kink - x);
    x = x_kink;
  }
}
} // namespace delassus
