#include <delassus/base/exceptions.h>
#include <delassus/contact/exchange/compressed_columns.h>
#include <delassus/contact/exchange/problem_files.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

// Siconos' text: `dim n_contacts W q mu` or `dim n_contacts M H f w mu`, white
// space between the numbers, and possibly one whole number after the last.

namespace delassus
{
namespace
{
/// Words of the text one after another, with the line they stand in.
class Words
{
public:
  Words(const std::string &file, const std::string &text)
      : file(file)
      , text(text)
  {
    skip_space();
  }

  bool at_end() const
  {
    return position == text.size();
  }

  [[noreturn]] void fail(const std::string &what) const
  {
    throw InputError(fmt::format("{}, line {}: {}", file, line, what));
  }

  std::string word(const std::string &expected)
  {
    const std::string result = peek();
    if (result.empty())
      fail(fmt::format("the file ends where {} is expected.", expected));
    position += result.size();
    skip_space();
    return result;
  }

  /// The next word without taking it; empty at the end.
  std::string peek() const
  {
    std::size_t end = position;
    while (end < text.size() && !is_space(text[end]))
      ++end;
    return text.substr(position, end - position);
  }

  /// Throws unless the next word is @p expected.
  void expect(const std::string &expected, const std::string &where)
  {
    const std::string found = peek();
    if (found != expected)
      fail(fmt::format("found '{}', but '{}' is expected {}.",
                       shorten(found),
                       expected,
                       where));
    word(expected);
  }

  double number(const std::string &meaning)
  {
    const std::string found = peek();
    double value;
    if (!found.empty() && !parse(found, value))
      fail(fmt::format(
          "'{}' is not a number; expected is {}.", shorten(found), meaning));
    if (!found.empty() && !std::isfinite(value))
      fail(fmt::format(
          "{} is '{}', but must be finite.", meaning, shorten(found)));
    word(meaning);
    return value;
  }

  /// A whole number from 0 to @p largest; C's %g may write it as 1e+06.
  std::size_t count(const std::string &meaning, const double largest = 2e9)
  {
    const std::string found = peek();
    double value;
    if (!found.empty() && (!parse(found, value) || !(value >= 0.) ||
                           value > largest || value != std::floor(value)))
      fail(fmt::format("{} is '{}', but must be a whole number from 0 to "
                       "{:.0f}.",
                       meaning,
                       shorten(found),
                       largest));
    word(meaning);
    return static_cast<std::size_t>(value);
  }

  /// Throws if @p n more words cannot be in the rest of the file: before memory
  /// is taken for them.
  void expect_words(const double n, const std::string &meaning) const
  {
    if (2. * n > static_cast<double>(text.size() - position) + 2.)
      fail(fmt::format(
          "the file ends before {:.0f} values, {}, can follow.", n, meaning));
  }

  std::vector<double> numbers(const std::size_t n, const std::string &meaning)
  {
    expect_words(static_cast<double>(n), meaning);
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = number(fmt::format("value {} of {} of {}", i, n, meaning));
    return values;
  }

  std::vector<std::size_t> counts(const std::size_t n,
                                  const std::string &meaning)
  {
    expect_words(static_cast<double>(n), meaning);
    std::vector<std::size_t> values(n);
    for (std::size_t &value : values)
      value = count(meaning);
    return values;
  }

  void skip_line()
  {
    while (position < text.size() && text[position] != '\n')
      ++position;
    skip_space();
  }

  /// Words from here to the end, counted up to @p limit.
  std::size_t n_remaining(const std::size_t limit) const
  {
    Words rest(*this);
    std::size_t n = 0;
    while (n < limit && !rest.at_end())
    {
      while (rest.position < text.size() && !is_space(text[rest.position]))
        ++rest.position;
      rest.skip_space();
      ++n;
    }
    return n;
  }

  /// Three words from here on, for looking ahead.
  std::vector<std::string> next_words(const std::size_t n) const
  {
    Words rest(*this);
    std::vector<std::string> result;
    while (result.size() < n && !rest.at_end())
      result.push_back(rest.word(""));
    return result;
  }

  static bool parse(const std::string &word, double &value)
  {
    const char *begin = word.data(), *end = word.data() + word.size();
    if (word.size() > 1 && word[0] == '+')
      ++begin;
    const auto result = std::from_chars(begin, end, value);
    if (result.ec == std::errc::result_out_of_range && result.ptr == end)
    {
      // Too small is zero, too large is not finite.
      value = std::strtod(word.c_str(), nullptr);
      return true;
    }
    return result.ec == std::errc() && result.ptr == end;
  }

private:
  static bool is_space(const char c)
  {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' ||
           c == '\v';
  }

  /// What of a word a message shows.
  static std::string shorten(const std::string &word)
  {
    std::string result = word.substr(0, 30);
    for (char &c : result)
      if (c < ' ' || c > '~')
        c = '?';
    return word.size() > 30 ? result + "..." : result;
  }

  void skip_space()
  {
    for (; position < text.size() && is_space(text[position]); ++position)
      line += text[position] == '\n';
  }

  const std::string &file, &text;
  std::size_t position = 0, line = 1;
};

/// Entries of a matrix that may not lie outside of it.
class Entries
{
public:
  Entries(const std::size_t n_rows, const std::size_t n_columns)
      : n_rows(n_rows)
      , n_columns(n_columns)
  {
  }

  void add(const Words &words,
           const std::size_t row,
           const std::size_t column,
           const double value)
  {
    if (row >= n_rows || column >= n_columns)
      words.fail(fmt::format("row {}, column {} is outside of a matrix of {} "
                             "rows and {} columns.",
                             row,
                             column,
                             n_rows,
                             n_columns));
    if (value != 0.)
      entries.push_back({ row, column, value });
  }

  CompressedColumns compressed() const
  {
    return compress_columns(n_rows, n_columns, entries);
  }

private:
  std::size_t n_rows, n_columns;
  std::vector<Triplet> entries;
};

void read_dense(Words &words,
                const std::string &name,
                const std::size_t n_rows,
                const std::size_t n_columns,
                Entries &entries)
{
  const std::size_t m = words.count("the number of rows of " + name);
  const std::size_t n = words.count("the number of columns of " + name);
  if (m != n_rows || n != n_columns)
    words.fail(fmt::format("{} has {} rows and {} columns here, but {} and {} "
                           "in the lines before.",
                           name,
                           m,
                           n,
                           n_rows,
                           n_columns));
  words.expect_words(static_cast<double>(m) * n, "the entries of " + name);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i)
      entries.add(
          words,
          i,
          j,
          words.number(fmt::format("row {}, column {} of {}", i, j, name)));
}

/// Ends of block rows or columns: ascending, the last one the size.
std::vector<std::size_t> read_ends(Words &words,
                                   const std::size_t n,
                                   const std::size_t size,
                                   const std::string &meaning)
{
  std::vector<std::size_t> ends = words.counts(n, meaning);
  for (std::size_t i = 0; i < n; ++i)
    if (ends[i] <= (i == 0 ? 0 : ends[i - 1]))
      words.fail(fmt::format(
          "{} must ascend, but number {} is {}.", meaning, i, ends[i]));
  if (n == 0 || ends.back() != size)
    words.fail(fmt::format("{} end at {}, but the matrix has {}.",
                           meaning,
                           n == 0 ? 0 : ends.back(),
                           size));
  ends.insert(ends.begin(), 0);
  return ends;
}

void read_blocks(Words &words,
                 const std::string &name,
                 const std::size_t n_rows,
                 const std::size_t n_columns,
                 Entries &entries)
{
  const std::size_t n_blocks = words.count("the number of blocks of " + name);
  const std::size_t n_block_rows =
      words.count("the number of block rows of " + name);
  const std::size_t n_block_columns =
      words.count("the number of block columns of " + name);
  const auto rows =
      read_ends(words, n_block_rows, n_rows, "ends of block rows of " + name);
  const auto columns = read_ends(
      words, n_block_columns, n_columns, "ends of block columns of " + name);
  const std::size_t n_starts =
      words.count("the number of block-row pointers of " + name);
  const std::size_t n_indices =
      words.count("the number of block-column indices of " + name);
  // Empty rows at the end need no pointer.
  if (n_starts == 0 || n_starts > n_block_rows + 1)
    words.fail(fmt::format("{} has {} block-row pointers, but {} block rows.",
                           name,
                           n_starts,
                           n_block_rows));
  if (n_indices != n_blocks)
    words.fail(fmt::format("{} has {} block-column indices, but {} blocks.",
                           name,
                           n_indices,
                           n_blocks));
  const auto starts = words.counts(n_starts, "block-row pointers of " + name);
  for (std::size_t i = 0; i + 1 < n_starts; ++i)
    if (starts[i + 1] < starts[i])
      words.fail(fmt::format("block-row pointers of {} must ascend, but {} "
                             "follows {}.",
                             name,
                             starts[i + 1],
                             starts[i]));
  if (starts.front() != 0 || starts.back() != n_blocks)
    words.fail(fmt::format("block-row pointers of {} go from {} to {}, but "
                           "must go from 0 to the {} blocks.",
                           name,
                           starts.front(),
                           starts.back(),
                           n_blocks));
  const auto indices =
      words.counts(n_indices, "block-column indices of " + name);
  for (std::size_t a = 0; a + 1 < n_starts; ++a)
    for (std::size_t k = starts[a]; k < starts[a + 1]; ++k)
    {
      const std::size_t b = indices[k];
      if (b >= n_block_columns)
        words.fail(fmt::format("{} has a block in block column {}, but only {} "
                               "block columns.",
                               name,
                               b,
                               n_block_columns));
      const std::size_t number =
          words.count(fmt::format("the index of block {} of {}", k, name));
      if (number != k)
        words.fail(
            fmt::format("block {} of {}: its index is {}.", k, name, number));
      words.expect_words(static_cast<double>(columns[b + 1] - columns[b]) *
                             (rows[a + 1] - rows[a]),
                         fmt::format("block {} of {}", k, name));
      for (std::size_t j = columns[b]; j < columns[b + 1]; ++j)
        for (std::size_t i = rows[a]; i < rows[a + 1]; ++i)
          entries.add(words,
                      i,
                      j,
                      words.number(fmt::format("a value of block {} of {} "
                                               "(row {}, column {})",
                                               k,
                                               name,
                                               i,
                                               j)));
    }
}

/// `nnz: N`, `nzmax: N,` and the like.
std::size_t
read_labelled(Words &words, const std::string &label, const std::string &name)
{
  words.expect(label, "in the description of " + name);
  std::string number = words.word("the number after " + label);
  if (!number.empty() && number.back() == ',')
    number.pop_back();
  double value;
  if (!Words::parse(number, value) || !(value >= 0.) || value > 2e9)
    words.fail(fmt::format(
        "'{} {}' of {} is not a number of entries.", label, number, name));
  return static_cast<std::size_t>(value);
}

/// What CSparse prints; its %g keeps six digits only, so that larger numbers
/// are not what they were.
void read_sparse(Words &words,
                 const std::string &name,
                 const std::size_t n_rows,
                 const std::size_t n_columns,
                 Entries &entries)
{
  constexpr std::size_t six_digits = 1000000;
  if (n_rows >= six_digits || n_columns >= six_digits)
    words.fail(fmt::format("{} has {} rows and {} columns: sparse text keeps "
                           "six digits of its indices, so it must have fewer "
                           "than a million.",
                           name,
                           n_rows,
                           n_columns));
  const std::size_t origin = words.count("the origin of " + name);
  if (origin != 1 && origin != 2)
    words.fail(fmt::format("the origin of {} is {}, but must be 1 (triplets) "
                           "or 2 (compressed columns).",
                           name,
                           origin));
  if (words.peek().find("Sparse") == std::string::npos)
    words.fail(fmt::format("found '{}', but the line 'CSparse Version ...' is "
                           "expected before the entries of {}.",
                           words.peek().substr(0, 30),
                           name));
  words.skip_line();
  const bool triplets = words.peek() == "triplet:";
  if (triplets != (origin == 1))
    words.fail(fmt::format("the origin of {} is {}, but what follows is {}.",
                           name,
                           origin,
                           triplets ? "triplets" : "not triplets"));
  if (triplets)
    words.word("triplet:");
  std::string size = words.word("the size of " + name);
  // The size is followed by a comma.
  if (size != fmt::format("{}-by-{},", n_rows, n_columns))
    words.fail(fmt::format("the size of {} is '{}', but '{}-by-{},' is "
                           "expected.",
                           name,
                           size.substr(0, 30),
                           n_rows,
                           n_columns));
  read_labelled(words, "nzmax:", name);
  const std::size_t n = read_labelled(words, "nnz:", name);
  std::size_t n_read  = 0;
  if (triplets)
    // With a million entries or more their number is not known: all lines of
    // that form.
    for (; n < six_digits ? n_read < n
                          : (words.next_words(3).size() == 3 &&
                             words.next_words(3)[2] == ":");
         ++n_read)
    {
      const std::string which = fmt::format("entry {} of {}", n_read, name);
      const std::size_t i     = words.count("the row of " + which);
      const std::size_t j     = words.count("the column of " + which);
      words.expect(":", "in " + which);
      entries.add(words, i, j, words.number(which));
    }
  else
  {
    read_labelled(words, "1-norm:", name);
    for (std::size_t j = 0; j < n_columns; ++j)
    {
      const std::string which = fmt::format("column {} of {}", j, name);
      words.expect("col", "at the beginning of " + which);
      if (words.count("the number of " + which) != j)
        words.fail(fmt::format("{} is expected here.", which));
      words.expect(":", "in " + which);
      words.expect("locations", "in " + which);
      words.word("the first location of " + which);
      words.expect("to", "in " + which);
      words.word("the last location of " + which);
      while (words.next_words(2).size() == 2 && words.next_words(2)[1] == ":")
      {
        const std::size_t i = words.count("a row of " + which);
        words.expect(":", "in " + which);
        entries.add(
            words, i, j, words.number(fmt::format("row {} of {}", i, which)));
        ++n_read;
      }
    }
    if (n < six_digits && n_read != n)
      words.fail(fmt::format(
          "{} has {} entries, but says that it has {}.", name, n_read, n));
  }
}

CompressedColumns read_matrix(Words &words, const std::string &name)
{
  const std::size_t storage   = words.count("the storage of " + name);
  const std::size_t n_rows    = words.count("the number of rows of " + name);
  const std::size_t n_columns = words.count("the number of columns of " + name);
  if (n_rows == 0 || n_columns == 0)
    words.fail(fmt::format("{} has {} rows and {} columns, but must have one "
                           "at least.",
                           name,
                           n_rows,
                           n_columns));
  // A vector of that length follows in any case: absurd sizes are found here.
  words.expect_words(static_cast<double>(std::max(n_rows, n_columns)),
                     "the entries of " + name);
  Entries entries(n_rows, n_columns);
  switch (storage)
  {
    case 0:
      read_dense(words, name, n_rows, n_columns, entries);
      break;
    case 1:
      read_blocks(words, name, n_rows, n_columns, entries);
      break;
    case 2:
      read_sparse(words, name, n_rows, n_columns, entries);
      break;
    default:
      words.fail(fmt::format("the storage of {} is {}, but must be 0 (dense), "
                             "1 (sparse blocks) or 2 (sparse).",
                             name,
                             storage));
  }
  return entries.compressed();
}
} // namespace


ExchangeProblem read_siconos_text(const std::string &file,
                                  const std::string &text)
{
  Words words(file, text);
  ExchangeProblem problem;
  double dim;
  if (!Words::parse(words.peek(), dim) || (dim != 2. && dim != 3.))
    words.fail(fmt::format("'{}' is not the dimension 2 or 3 with which a "
                           "problem in Siconos' text begins (and the file is "
                           "not HDF5, that is FCLIB, either).",
                           words.next_words(1).empty()
                               ? ""
                               : words.next_words(1)[0].substr(0, 30)));
  problem.dim                  = words.count("the dimension");
  const std::size_t n_contacts = words.count("the number of contacts");
  if (n_contacts == 0)
    words.fail("the number of contacts is 0, but must be 1 at least.");
  const std::size_t m      = problem.dim * n_contacts;
  CompressedColumns matrix = read_matrix(words, "the matrix W (or M)");
  // Either q and mu follow, or H, which begins with its storage and its size.
  const auto next         = words.next_words(3);
  const bool looks_like_H = next.size() == 3 && next[0].size() == 1 &&
                            next[0][0] >= '0' && next[0][0] <= '2' &&
                            next[1] == std::to_string(matrix.n_rows) &&
                            next[2] == std::to_string(m);
  if (matrix.n_rows != matrix.n_columns)
    words.fail(fmt::format("the matrix W (or M) has {} rows and {} columns, "
                           "but must be square.",
                           matrix.n_rows,
                           matrix.n_columns));
  if (matrix.n_rows != m && !looks_like_H)
    words.fail(fmt::format("the matrix has {} rows, but {} are expected ({} "
                           "contacts in {}D), unless it is M and followed by "
                           "a matrix H of {} rows and {} columns.",
                           matrix.n_rows,
                           m,
                           n_contacts,
                           problem.dim,
                           matrix.n_rows,
                           m));
  problem.global = looks_like_H;
  if (problem.global)
  {
    problem.M = std::move(matrix);
    problem.H = read_matrix(words, "the matrix H");
    if (problem.H.n_rows != problem.M.n_rows || problem.H.n_columns != m)
      words.fail(
          fmt::format("the matrix H has {} rows and {} columns, but {} (the "
                      "rows of M) and {} ({} contacts in {}D) are expected.",
                      problem.H.n_rows,
                      problem.H.n_columns,
                      problem.M.n_rows,
                      m,
                      n_contacts,
                      problem.dim));
    problem.f = words.numbers(problem.M.n_rows, "f");
    problem.w = words.numbers(m, "w");
  }
  else
  {
    problem.W = std::move(matrix);
    problem.q = words.numbers(m, "q");
  }
  problem.mu = words.numbers(n_contacts, "the coefficients of friction");
  // Siconos writes whether there is a solution: one number, 0 or 1.
  const std::size_t n_left = words.n_remaining(2);
  if (n_left > 1 || (n_left == 1 && words.peek() != "0" && words.peek() != "1"))
    words.fail(fmt::format("the file should end after the {} coefficients of "
                           "friction, but '{}' follows.",
                           n_contacts,
                           words.peek().substr(0, 30)));
  return problem;
}
} // namespace delassus
