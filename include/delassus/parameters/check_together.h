#ifndef delassus_parameters_check_together_h
#define delassus_parameters_check_together_h

#include <delassus/parameters/section_reader.h>
#include <delassus/parameters/stage_parameters.h>

#include <functional>
#include <string>
#include <vector>

namespace delassus
{
/// Gives a section by kind and name.
using SectionByName =
    std::function<SectionReader(const std::string &, const std::string &)>;

/// What concerns several sections at once.
void check_together(const Parameters &parameters,
                    const std::vector<StageParameters> &stages,
                    const SectionByName &reader);

/// What has no meaning without inertia.
void check_quasi_static(const Parameters &parameters,
                        const SectionByName &reader);
} // namespace delassus

#endif
