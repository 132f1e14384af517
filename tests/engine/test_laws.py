"""Laws written once for one vehicle and for arrays: the compiled form gives the same bits as the plain one."""

import numpy as np

from pelagos.control import pid
from pelagos.control.pid import PID
from pelagos.control.vectorised.layout import LOOP
from pelagos.engine.laws import CACHE, also_compiled, law, records

advance = pid.step


@law
def run_loops(loops, errors, rates, out):
    for k in range(errors.size):
        for i in range(loops.size):
            out[k, i] = advance(loops[i], errors[k], 0.0, 0.1, rates[k], 0.3)


def test_a_function_that_is_also_compiled_stays_what_it_is():
    def plain(x):
        return 2.0 * x

    assert also_compiled(plain) is plain


def test_a_record_and_an_object_give_the_same_bits():
    rng = np.random.default_rng(7)
    errors, rates = rng.normal(0.0, 1.0, 60), rng.normal(0.0, 0.4, 60)
    single = PID(3.0, 0.4, 1.2, -3.5, 3.5, angle=True, error_limit=0.8, approach_s=0.5, mass=2.0)
    many = records(3, LOOP)
    for name in PID.__dataclass_fields__:
        many[name] = getattr(single, name)
    out = np.zeros((60, 3))
    run_loops(many, errors, rates, out)
    alone = [
        single.update(e, 0.0, 0.1, rate=r, feedforward=0.3)
        for e, r in zip(errors.tolist(), rates.tolist(), strict=True)
    ]
    assert (out == np.array(alone)[:, None]).all()
    assert (many["integral"] == single.integral).all()
    assert max(abs(x) for x in alone) == 3.5 and single.integral != 0.0  # it was at its limits, and learnt


def test_machine_code_has_a_folder_of_its_own():
    assert CACHE.name.startswith("laws-")
