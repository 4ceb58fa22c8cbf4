// Counts every allocation of this program: a solver that has seen a problem of
// this size must not allocate any more, whatever the number of sweeps.

#include <delassus/contact/delassus/body_delassus.h>
#include <delassus/contact/delassus/dense_delassus.h>
#include <delassus/contact/global_solvers/parallel_gauss_seidel.h>

#include "random_problems.h"
#include "synthetic_wall.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace
{
std::atomic<unsigned long> n_allocations{ 0 };

void *counted(const std::size_t bytes, const std::size_t alignment)
{
  ++n_allocations;
  void *memory = std::aligned_alloc(
      alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}
} // namespace

void *operator new(std::size_t bytes)
{
  return counted(bytes, 16);
}
void *operator new[](std::size_t bytes)
{
  return counted(bytes, 16);
}
// The library's own calls the first one; that of a sanitizer does not.
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept
{
  ++n_allocations;
  return std::malloc(bytes);
}
void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept
{
  ++n_allocations;
  return std::malloc(bytes);
}
void *operator new(std::size_t bytes, std::align_val_t alignment)
{
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void *operator new[](std::size_t bytes, std::align_val_t alignment)
{
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept
{
  std::free(memory);
}
void operator delete[](void *memory) noexcept
{
  std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept
{
  std::free(memory);
}
void operator delete[](void *memory, std::size_t) noexcept
{
  std::free(memory);
}
void operator delete(void *memory, std::align_val_t) noexcept
{
  std::free(memory);
}
void operator delete[](void *memory, std::align_val_t) noexcept
{
  std::free(memory);
}
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept
{
  std::free(memory);
}
void operator delete[](void *memory, std::size_t, std::align_val_t) noexcept
{
  std::free(memory);
}

using namespace delassus;
using namespace delassus_tests;

namespace
{
template <int dim>
unsigned long allocations_of_solve(GaussSeidel<dim> &solver,
                                   const ContactProblem<dim> &problem,
                                   std::vector<double> &P,
                                   std::vector<double> &U,
                                   unsigned int &sweeps)
{
  std::fill(P.begin(), P.end(), 0.);
  const unsigned long before = n_allocations;
  sweeps                     = solver.solve(problem, P, U).sweeps;
  return n_allocations - before;
}

template <int dim>
void expect_no_allocation(const ContactProblem<dim> &problem)
{
  for (const ContactCriterion criterion :
       { ContactCriterion::unit_free, ContactCriterion::worst_violation })
  {
    for (const SweepOrder order :
         { SweepOrder::symmetric, SweepOrder::graph, SweepOrder::random })
    {
      ContactSolverParameters parameters;
      parameters.order        = order;
      parameters.acceleration = order == SweepOrder::graph ? 4 : 0;
      parameters.criterion    = criterion;
      parameters.tolerance    = 1e-9;
      parameters.max_sweeps   = 3;
      GaussSeidel<dim> few(parameters);
      parameters.max_sweeps = 60;
      GaussSeidel<dim> many(parameters);
      std::vector<double> P(dim * problem.n_contacts()), U(P.size());
      unsigned int n_few, n_many;
      // A first solve may; not more of it with more sweeps.
      const unsigned long first =
          allocations_of_solve(few, problem, P, U, n_few);
      EXPECT_EQ(allocations_of_solve(many, problem, P, U, n_many), first);
      EXPECT_GT(n_many, n_few);
      // The next solve does not at all.
      EXPECT_EQ(allocations_of_solve(many, problem, P, U, n_many), 0u);
    }
  }
}
} // namespace

TEST(Allocation, TheCounterCounts)
{
  const unsigned long before = n_allocations;
  std::vector<double> values(100);
  AlignedVector<double> aligned(100);
  EXPECT_EQ(n_allocations - before, 2u);
}

TEST(Allocation, SweepsDoNotAllocate)
{
  Random random(71);
  const RandomBodies<2> bodies2(random, 12, 60);
  const RandomBodies<3> bodies3(random, 12, 40);
  const auto sparse2 = assemble_block_sparse(bodies2.data);
  const auto sparse3 = assemble_block_sparse(bodies3.data);
  const DenseDelassus<2> dense2(sparse2);
  const DenseDelassus<3> dense3(sparse3);
  const BodyDelassus<2> body2(bodies2.data);
  const BodyDelassus<3> body3(bodies3.data);
  // Enough friction for ill-posed contacts among them.
  for (const DelassusOperator<2> *W :
       { static_cast<const DelassusOperator<2> *>(&sparse2),
         static_cast<const DelassusOperator<2> *>(&dense2),
         static_cast<const DelassusOperator<2> *>(&body2) })
    expect_no_allocation<2>(random_loading<2>(random, *W, 0.8));
  for (const DelassusOperator<3> *W :
       { static_cast<const DelassusOperator<3> *>(&sparse3),
         static_cast<const DelassusOperator<3> *>(&dense3),
         static_cast<const DelassusOperator<3> *>(&body3) })
    expect_no_allocation<3>(random_loading<3>(random, *W, 0.8));
}

TEST(Allocation, AffineLawsDoNotAllocateEither)
{
  Random random(72);
  const RandomBodies<2> bodies(random, 12, 40);
  const auto W              = assemble_block_sparse(bodies.data);
  ContactProblem<2> problem = random_loading<2>(random, W, 0.5);
  const LocalMatrix<2> I    = identity_matrix<2>(), zero{};
  for (auto &law : problem.laws)
    law.affine = std::make_shared<const AffineLaw<2>>(
        AffineLaw<2>::from_inverse(I, scale(0.1, I), zero, I, law.shift, {}));
  expect_no_allocation<2>(problem);
}

TEST(Allocation, SweepsByThreadsDoNotAllocate)
{
  const SyntheticWall wall(8, 8);
  const auto W       = assemble_block_sparse(wall.data);
  const auto problem = wall.closed_problem(W, 0.5);
  for (const SweepOrder order :
       { SweepOrder::symmetric, SweepOrder::graph, SweepOrder::random })
  {
    ContactSolverParameters parameters;
    parameters.order      = order;
    parameters.tolerance  = 1e-12;
    parameters.max_sweeps = 50;
    parameters.n_threads  = 2;
    ParallelGaussSeidel<2> solver(parameters);
    std::vector<double> P, U;
    solver.solve(problem, P, U);
    ASSERT_EQ(solver.n_threads_used(), 2u);
    const unsigned long before = n_allocations;
    solver.solve(problem, P, U);
    EXPECT_EQ(n_allocations - before, 0u);
  }
}

TEST(Allocation, AssemblingAgainDoesNotAllocate)
{
  const SyntheticWall wall(6, 6);
  BodyAssembler<2> assembler;
  BlockSparseDelassus<2> W;
  assembler.assemble(wall.data, W);
  const unsigned long before = n_allocations;
  assembler.assemble(wall.data, W);
  EXPECT_EQ(n_allocations - before, 0u);
}
