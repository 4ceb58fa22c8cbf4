"""Problems that a run writes, in the hands of Siconos.

  check_problems.py PROGRAM PARAMETER_FILE

Runs PROGRAM on a small wall in 3D, which writes its contact problems; Siconos'
own measure of the error of the run's solution must be small, and Siconos'
solution must have the same relative velocities. The global form, read by SciPy,
must have the same W. Exit code 77: Siconos or h5py is not there.
"""

import glob
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
    import scipy.sparse
    import scipy.sparse.linalg
    import siconos.numerics as numerics
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

TOLERANCE = 1e-8


def read(name):
    with h5py.File(name, "r") as file:
        group = file["fclib_local"]
        assert group["W/nz"][0] == -2, "compressed rows are expected"
        size = int(group["W/m"][0])
        W = scipy.sparse.csr_matrix(
            (group["W/x"][:], group["W/i"][:], group["W/p"][:]), (size, size))
        return (W, group["vectors/q"][:], group["vectors/mu"][:],
                file["solution/r"][:], file["solution/u"][:])


def condensed(name):
    """W and q of a global problem."""
    with h5py.File(name, "r") as file:
        group = file["fclib_global"]

        def matrix(part):
            assert part["nz"][0] == -1, "compressed columns are expected"
            return scipy.sparse.csc_matrix(
                (part["x"][:], part["i"][:], part["p"][:]),
                (int(part["m"][0]), int(part["n"][0])))

        M, H = matrix(group["M"]), matrix(group["H"])
        solve = scipy.sparse.linalg.factorized(M)
        W = H.T @ numpy.array([solve(column) for column in H.toarray().T]).T
        return W, H.T @ solve(group["vectors/f"][:]) + group["vectors/w"][:]


def check_forms(local, other):
    W, q = read(local)[:2]
    W_other, q_other = condensed(other)
    difference = max(numpy.abs(W - W_other).max() / numpy.abs(W).max(),
                     numpy.abs(q - q_other).max() / numpy.abs(q).max())
    print("%s: difference of the two forms %.1e" %
          (os.path.basename(local), difference))
    return difference < 1e-10


def check(name):
    W, q, mu, r, u = read(name)
    # g of the unit-free error makes impulses velocities, so that Siconos'
    # tolerance does not depend on units.
    g = W.diagonal().mean()
    problem = numerics.FrictionContactProblem(3, (W / g).toarray(), q, mu)
    options = numerics.SolverOptions(numerics.SICONOS_FRICTION_3D_NSGS)
    options.dparam[numerics.SICONOS_DPARAM_TOL] = TOLERANCE
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 100000
    norm = numpy.linalg.norm(q)
    error = numerics.fc3d_compute_error(
        problem, g * r, u.copy(), TOLERANCE, options, norm)[1]
    found_r, found_u = numpy.zeros(len(q)), numpy.zeros(len(q))
    info = numerics.fc3d_nsgs(problem, found_r, found_u, options)
    difference = numpy.abs(found_u - u).max() / numpy.abs(q).max()
    consistent = numpy.abs(W @ r + q - u).max() / numpy.abs(q).max()
    print("%s: %d contacts, error of our solution %.1e, u - W r - q %.1e, "
          "difference of velocities %.1e" %
          (os.path.basename(name), len(mu), error, consistent, difference))
    return (info == 0 and error <= 2 * TOLERANCE and consistent < 1e-10
            and difference < 1e3 * TOLERANCE)


def main():
    program, parameters = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        common = ["Body wall/Mesh/Courses=2",
                  "Body wall/Mesh/Blocks per course=2",
                  "Time/End=0.01",
                  "Contact solver/Tolerance=%g" % TOLERANCE,
                  "Contact solver/Maximum sweeps=1000000",
                  "Contact solver/Dump steps=3"]
        for form in ("local", "global"):
            command = [program, "run", parameters, "--quiet", "--output",
                       folder + "/" + form]
            for option in common + ["Contact solver/Dump form=" + form]:
                command += ["--set", option]
            subprocess.run(command, check=True)
        names = sorted(glob.glob(folder + "/local/problems/step_*.hdf5"))
        assert names, "no problems were written"
        good = [check(name) for name in names]
        good += [check_forms(name, name.replace("/local/", "/global/"))
                 for name in names]
        return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
