"""Programs that each show one part of the language; each prints what matters."""

from __future__ import annotations

FORMS = {
    "loops with else, break and continue": """
def f(n):
    seen = []
    for i in range(n):
        if i % 3 == 0: continue
        for j in range(i):
            if j == 4: break
            seen.append((i, j))
        else:
            seen.append(i)
            continue
        if i > 6: break
    else:
        return seen, 'all'
    return seen, i, j
print(f(3), f(6), f(20))""",
    "while with else, endless loops, tests that assign": """
def f(n):
    k = 0
    while (k := k + 1) < n:
        if k == 7: break
    else:
        k = -k
    while True:
        k += 1
        if k > 9: return k
print(f(3), f(30))
def g(it):
    out = []
    while 1:
        try: out.append(next(it))
        except StopIteration: break
    return out
print(g(iter('abc')))
while False: pass
else: print('else')""",
    "names that a loop may leave unassigned": """
def f(n):
    for k in range(n):
        last = k
    return last
print(f(2))
try: f(0)
except UnboundLocalError as e: print(e)
def g(n):
    while n:
        n -= 1
        if n == 2: x = n
    return x
print(g(5))
try: g(1)
except UnboundLocalError as e: print(e)""",
    "del of locals, globals, items, attributes, several": """
def f(a, n):
    x = 1
    for k in range(n):
        if k == a: del x
        else: x = k
    try: return x
    except UnboundLocalError as e: return str(e)
print([f(a, 4) for a in range(5)])
def g():
    for k in range(3):
        y = k
        del y
    try: y
    except UnboundLocalError as e: return str(e)
print(g())
def h():
    a, b, d, c = 1, [1, 2, 3], {'k': 1}, type('C', (), {})()
    c.x = 1
    del a, (b[0], [d['k']]), c.x
    return b, d, hasattr(c, 'x')
print(h())
def twice():
    z = 1
    del z
    try: del z
    except UnboundLocalError as e: return str(e)
print(twice())
v = 1
del v
try: v
except NameError as e: print(e)
len = 3
del len
print(len('ab'))
def closed():
    w = 1
    def see(): return w
    del w
    try: see()
    except NameError as e: return str(e)
print(closed())""",
    "try, finally and return": """
def f(a, b):
    r = 0
    try:
        r = 1
        r = a / b
    except ZeroDivisionError as e:
        return r, str(e)
    else:
        r += 1
    finally:
        print('finally', r)
    return r
print(f(1, 2), f(1, 0))
def g():
    for k in range(5):
        try:
            if k == 2: continue
            if k == 3: break
        finally:
            print(k)
    return k
print(g())
def h():
    while True:
        try:
            x = 1
            raise ValueError
        finally:
            break
    return x
print(h())
def swallow():
    try: 1 / 0
    finally: return 'swallowed'
print(swallow())
def nested(n):
    try:
        try: x = 10 // n
        except KeyError: x = -1
        finally: y = n
    except ZeroDivisionError: x = y
    return x, y
print(nested(3), nested(0))""",
    "what a try leaves for the next round": """
def f(ks):
    log = []
    for k in ks:
        try:
            if k < 0: raise ValueError(k)
            log.append(('old', seen))
            if k == 5: raise KeyError(k)
        except UnboundLocalError: log.append('unbound')
        except (ValueError, KeyError) as e: log.append(repr(e)); continue
        try:
            seen = k
            if k == 3: raise ValueError
        except ValueError: pass
    return log
print(f([1, 2, -1, 3, 4, 5, 6]))
def g():
    out = []
    for k in range(4):
        try:
            if k: out.append(x)
            x = k
            if k % 2: raise ValueError
        except ValueError: pass
    return out
print(g())
def h(n):
    for k in range(n):
        try:
            y = k
            if k == 2: raise ValueError
        except ValueError:
            if n > 3: break
            raise
    return y
print(h(5), h(2))""",
    "exceptions: names, groups of types, reraising, causes": """
def f(kind):
    try:
        try: raise kind('a')
        except (KeyError, ValueError) as error: raise RuntimeError('b') from error
        except TypeError as error:
            error.args = ('changed',)
            raise
        except: return 'other'
    except Exception as outer:
        return repr(outer), repr(outer.__cause__)
print([f(k) for k in (KeyError, ValueError, TypeError, OSError, KeyboardInterrupt)])
def g():
    e = 'before'
    try: raise ValueError
    except ValueError as e: pass
    try: return e
    except UnboundLocalError as error: return str(error)
print(g())
def h():
    for k in range(2):
        try: raise ValueError
        except ValueError as e:
            if k: break
            continue
    try: return e
    except UnboundLocalError as error: return str(error)
print(h())
def context():
    try:
        try: 1 / 0
        except ZeroDivisionError: raise KeyError('k')
    except KeyError as e: return repr(e.__context__)
print(context())
try: raise ValueError
except ValueError as x: pass
print('x' in globals())
def asserted(v):
    try: assert v, f'no {v}'
    except AssertionError as e: return e.args
print(asserted(0), asserted(1))
AssertionError, kept = TypeError, AssertionError
try: assert 0
except kept as e: print(type(e).__name__)
BaseException = KeyError
try: raise ValueError
except: print('all the same')""",
    "else of try, with what the body may leave unassigned": """
def f(n):
    try:
        if n: a = n
        b = 1 / n
    except ZeroDivisionError: b = 0
    else:
        try: a += 1
        except UnboundLocalError: a = 'none'
        b = a
    return b
print(f(0), f(2))
def g(n):
    try: return n
    except ValueError: pass
    else: print('never')
    finally: print('final')
print(g(3))""",
    "closures, nonlocal, defaults, keyword-only, starred": """
def make(n, /, *more, step=2, **named):
    total = n
    def add(x=step):
        nonlocal total
        total += x
        return total, more, sorted(named)
    return add
a = make(1, 7, 8, step=3, z=0, y=1)
print(a(), a(10), [f() for f in [lambda i=i: i * i for i in range(4)]])
print([g() for g in [lambda: i for i in range(3)]])
first, *rest, last = range(5)
print(first, rest, last)
def counter():
    n = 0
    class Inner:
        nonlocal n
        n = 5
        def get(self):
            nonlocal n
            n += 1
            return n
    return Inner().get(), n
print(counter())
def late():
    def see(): return later
    try: see()
    except NameError as e: print(e)
    later = 3
    return see()
print(late())
def loops():
    fs = []
    for i in range(3):
        def f(): return i
        fs.append(f)
    return [f() for f in fs]
print(loops())""",
    "global names": """
count = 0
def up():
    global count, made
    count += 1
    made = count * 2
    return count
up(); print(count, made)
for k in range(3):
    up()
    print(count, made)
global top
top = 1
print(top)
def shadow():
    global print_me
    def print_me(): return 'global function'
shadow(); print(print_me(), print_me.__qualname__)
def remove():
    global count
    del count
remove()
try: count
except NameError as e: print(e)""",
    "comprehensions, walrus, chained comparison": """
x = 5
print([y for i in range(6) if (y := i * i) > 3 and 1 < i <= 4], y)
print({i: [j for j in range(i)] for i in range(3)}, x)
def f(v): return [v * w for w in range(3) for v in [w]], v
print(f(9), sum(i * i for i in range(4)), list(i for i in 'ab'))
a = 3
print(1 < a < 5 != 4, a > 2 or 1 / 0, not a, a and 0 and 1 / 0)
def say(v):
    print('say', v)
    return v
print(say(1) < say(2) < say(0) < say(9), say(1) < say(0) < 1 / 0)
print([(i, j) for i in range(3) if i for j in range(i) if j % 2 == 0])
def lazy():
    g = (last := i for i in range(3))
    next(g)
    one = last
    return one, list(g), last
print(lazy())
g = (seen := i for i in range(3))
next(g); print(seen); list(g); print(seen)
print({k: v for k, v in zip('ab', range(2))}, {i % 2 for i in range(4)})
print([[(lambda: i * j)() for i in range(2)] for j in range(2)])
print([f() for f in [lambda: k for k in 'xy']])
def outer(n): return [[n + i + j for j in range(n) if j != i] for i in range(n)]
print(outer(3))
print(any(v > 1 for v in range(3)), all(v > 1 for v in range(3)))
print(''.join(c for c in 'abc' if c != 'b'))
it = iter(range(10))
print(any(v > 2 for v in it), next(it))
print([x for x in [1, 2] for x in [x, x * 10]], x)
print(max((v for v in [3, 1]), default=0), sorted(v for v in [3, 1, 2]))""",
    "generator expressions evaluate their first iterable at once": """
def bad(): raise ValueError('now')
try: g = (i for i in bad())
except ValueError as e: print(e)
g = (bad() for i in range(1))
print('not yet')
try: next(g)
except ValueError as e: print(e)
n = 2
g = (i * n for i in range(n))
n = 10
print(list(g))
def sum(it): return 'mine'
print(sum(i for i in range(3)))""",
    "classes": """
import dataclasses
class A:
    'doc of A'
    count = 0
    __hidden = 3
    def __init__(self, x): self.x = x; A.count += 1
    def show(self): return self.x + self.__hidden
    @property
    def double(self): return 2 * self.x
    @double.setter
    def double(self, value): self.x = value / 2
    @classmethod
    def two(cls): return cls(2)
    @staticmethod
    def zero(): return 0
class B(A):
    def __init__(self, x): super().__init__(x + 1)
    def show(self): return [super().show(), self.double]
    def kind(self): return __class__
@dataclasses.dataclass
class C:
    a: int
    b: list = dataclasses.field(default_factory=list)
    c: 'float' = 2.0
b = B(3); b.double = 9
print(b.show(), B.two().x, A.zero(), A.count, C(1), C(2, [3]), A.__doc__, b.kind().__name__)
print(A.__qualname__, A.show.__qualname__, A._A__hidden)
class Meta(type):
    def __new__(m, name, bases, space, tag=None):
        made = super().__new__(m, name, bases, space)
        made.tag = tag
        return made
    def __init__(c, name, bases, space, tag=None): super().__init__(name, bases, space)
class D(metaclass=Meta, tag='t'):
    names = [n for n in ('a', 'b')]
    size = len(names)
    if size > 1: big = True
    else: small = True
    for k in range(3): last = k
    try: missing
    except NameError: missing = 'made'
    where = __qualname__, __module__
print(D.tag, D.names, D.size, D.big, D.last, D.missing, hasattr(D, 'small'), D.where)
def local(n):
    class E:
        n = n if False else 'class'
        def get(self): return n
    return E.n, E().get()
try: print(local(4))
except NameError as e: print(e)
x = 'global'
class F:
    y = x
    x = 'class'
    z = x
    def get(self): return x
print(F.y, F.z, F().get())
class Prepared(type):
    @classmethod
    def __prepare__(m, name, bases): return {'given': 'by the class of the class'}
class H(metaclass=Prepared): taken = given, x, __qualname__
given = 'global'
print(H.taken)
class G:
    __slots__ = ('__p', 'q')
    def __init__(self): self.__p, self.q = 1, 2
    def __m(self): return self.__p
    def n(self): return self.__m(), (lambda: self.__p)(), [self.__p for _ in range(2)]
print(G().n())
class _Private:
    __v = 1
    class __Inner: w = 2
    def get(self, __a=5): __b = __a; return self.__v, self.__Inner.w, __b
print(_Private().get(), _Private().get(_Private__a=6))""",
    "classes in functions, loops, and with names of their own": """
def make(n):
    made = []
    for k in range(n):
        class P:
            value = k
            def get(self): return k, self.value
        made.append(P)
    return [p().get() for p in made]
print(make(3))
class Outer:
    class Inner:
        def f(self): return __class__.__name__
    def g(self):
        def h(): return super(Outer, self).__repr__()[:8], __class__
        return h()[1].__name__
print(Outer.Inner().f(), Outer().g())
class Base:
    def __init_subclass__(cls, **kw): cls.kw = kw
class Sub(Base, a=1): pass
print(Sub.kw)
def deco(tag):
    print('decorator', tag)
    def apply(c):
        print('apply', tag)
        return c
    return apply
@deco('a')
@deco('b')
class Z:
    @deco('m')
    def m(self, v=print('default')): pass""",
    "generators": """
def g(n):
    k = 0
    while True:
        got = yield k
        if got is not None: k = got
        k += 1
        if k > n: return 'end'
def h(n):
    r = yield from g(n)
    yield r
it = h(4)
print(next(it), it.send(2), list(it))
def safe(it):
    while True:
        try: v = next(it)
        except StopIteration: return
        yield v + 1
print(list(safe(iter([1, 2]))))
def closing():
    try:
        yield 1
        yield 2
    finally: print('closed')
c = closing(); next(c); c.close()
def thrown():
    x = 0
    while x < 3:
        try: x = yield x
        except ValueError as e: x = 10
    return
t = thrown(); print(next(t), t.send(1))
try: t.throw(ValueError)
except StopIteration: print('stopped')
def odd(a=(yield_ := 3)): return a
lam = lambda: (yield 5)
print(odd(), list(lam()))
def dead():
    return
    yield
print(list(dead()))
def inner_default():
    def f(v=(yield 'asked')): return v
    yield f()
q = inner_default(); print(next(q), q.send(7))
def comp(): return [v for v in (yield 'first')]
q = comp(); next(q)
try: q.send([1, 2])
except StopIteration as s: print(s.value)
def pair():
    x = yield (yield 1)
    return x
print(list(pair()))
def spread(): yield *range(2), 9
print(list(spread()))""",
    "with": """
import contextlib
@contextlib.contextmanager
def quiet(*kinds):
    try: yield 'in'
    except kinds: print('swallowed')
def f(x):
    y = 1
    with quiet(ValueError) as w:
        y = 2
        if x: raise ValueError
        return w, y
    return y
print(f(True), f(False))
def g(n):
    out = []
    for k in range(n):
        with quiet(ValueError), contextlib.nullcontext(k) as (v):
            if k == 1: continue
            if k == 3: raise ValueError
            if k == 4: break
            z = k
        out.append(z)
    return out
print(g(6))
class M:
    def __enter__(self): print('enter'); return self, 1
    def __exit__(self, *a): print('exit', a[0]); return False
with M() as (m, one), M() as [_, two]: print(one, two)
import numpy as np
def e(a):
    with np.errstate(divide='ignore'):
        r = a / 0
    return r
print(e(np.ones(2)))
try:
    with M(): raise KeyError(1)
except KeyError as k: print(k)
def ret():
    with M(): return 'value'
print(ret())
with open(__import__('os').devnull) as handle: text = handle.read()
print(text == '')""",
    "augmented assignment to all targets, once each": """
import numpy as np
def at(v):
    print('at', v)
    return v
class O:
    def __repr__(self): return 'O'
o = O(); o.x = [1]; l = [1, 2, [3]]; d = {'k': 1}
at(o).x += [2]
at(l)[at(0)] += 5
l[2] += [4]
d['k'] **= 3
d['k'] <<= 2; d['k'] |= 3; d['k'] ^= 1; d['k'] &= 6; d['k'] >>= 1; d['k'] %= 3
d['k'] //= 1; d['k'] -= 9; d['k'] /= 2
print(o.x, l, d)
a = np.arange(4.0); b = a
a += 1; a[1:3] *= 2; a[a > 3] -= 1
print(b, a is b)
m = np.eye(2); m @= np.full((2, 2), 2.0); print(m)
def f(n):
    t = ()
    for k in range(n): t += (k,)
    return t
print(f(3))
def g():
    try: u += 1
    except UnboundLocalError as e: return str(e)
print(g())
tup = ([1],)
try: tup[0] += [2]
except TypeError as e: print(tup)""",
    "order of evaluation": """
def p(v):
    print(v, end=' ')
    return v
class T:
    def __setitem__(self, k, v): print('set', k, v, end=' ')
    def __getitem__(self, k): print('get', k, end=' '); return 1
    def __setattr__(self, k, v): print('attr', k, v, end=' ')
    def __repr__(self): return 'T'
t = T()
t[p(1)] = t[p(2)] = p(3)
t[p(1)], t[p(2)] = p(3), p(4)
p(t).a, (t[p(5)], t[p(6)]) = p(7), (p(8), p(9))
t[p(1)] += p(2)
i = 0
i, t[i] = 5, 6
f = lambda *a, **k: (a, k)
print(f(p(1), *p([2]), k=p(3), **p({'z': 4})), f(*[1], 2, *(3, 4)))
print({p('a'): p(1), **p({}), p('b'): p(2)}, [p(1), *p([2])], p(1) if p(0) else p(2))
print(p(1) + p(2) * p(3) - p(4), p([1, 2])[p(0):p(1):p(1)], p(1) in p([1]))
x: p('note') = p('value')
t.b: p('other note') = p(1)
del t
assert p(1), p(2)
def d(a=p('a'), *, b=p('b')) -> p('r'): pass
y, z = z2, y2 = p('ab')
print(y, z, z2, y2)""",
    "texts": """
v, w = 3.14159, 5
print(f'{v:.2f} {v!r:>10} {w=} {v:{w}.{2}f} {"n" + f"{w}"} {{}} {w:>{w + 1}}', f'', f'a' 'b' f'{w}')
print(f'{[i for i in range(w) if i % 2]} {(lambda q: q + w)(1)} {w if w > 3 else v}')
print(f'''{
    w
} é {w!a}''', '%s' % w, 'é' f'{"ü"!a}')""",
    "unpacking": """
(a, [b, *c]), *d = (1, [2, 3, 4]), 5, 6
print(a, b, c, d)
for i, (j, *k) in enumerate([(1, 2, 3), (4,)], start=7): print(i, j, k)
[x, y] = 'ab'; print(x, y)
*s, = range(3); print(s)
try: p, q = 1, 2, 3
except ValueError as e: print(e)
try: p, q = [1]
except ValueError as e: print(e)
try: p, *q, r = [1]
except ValueError as e: print(e)
def f(*args, **kw): return args, kw
print(f(*range(2), *'c', z=1, **{'y': 2}), [*range(2), *[9]], {*'a', *'a'}, (*'x',), {**{1: 2}})
import numpy as np
m = np.arange(12).reshape(3, 4)
r, *others = m
print(r, len(others), m[*(1, 2)], m[(slice(1), *(0,))])
for z in [1]: pass
print(z)
u = v = w = []
print(u is w)
a, b = b, a; print(a, b)
l = [0, 1]; l[0], l[1] = l[1], l[0]; print(l)
i, l[i] = 1, 'changed'; print(l)
(lone) = 4; print(lone)
def ret(*t): return *t, 1
print(ret(2, 3))
first, (second, third) = 1, (lambda: (2, 3))(); print(first, second, third)""",
    "what loops go over": """
import itertools, numpy as np
from itertools import product as prod
from numpy import ndindex
a = np.arange(6).reshape(2, 3)
for i in range(5, 0, -2): print(i, end=' ')
for i, r in enumerate(a): print(i, r, end=' ')
for i, r in enumerate(a, 1): print(i, r, end=' ')
for i, (x, y) in enumerate(zip(a[0], a[1]), start=3): print(i, x, y, end=' ')
for x, y, z in zip(range(3), 'abc', reversed([1, 2, 3])): print(x, y, z, end=' ')
for i, j in itertools.product(range(2), 'xy'): print(i, j, end=' ')
for i, j in prod(range(2), repeat=2): print(i, j, end=' ')
for i, j in np.ndindex(2, 2): print(i, j, end=' ')
for i, j in ndindex(a.shape): print(a[i, j], end=' ')
for v in map(lambda q: q + 1, range(3)): print(v, end=' ')
for v in map(max, [1, 5], [3, 2]): print(v, end=' ')
for i in reversed(range(3)): print(i, end=' ')
for k, v in {'a': 1}.items(): print(k, v, end=' ')
for c in 'ab': print(c, end=' ')
for v in a.flat: print(v, end=' ')
try:
    for x, y in zip([1], [1, 2], strict=True): pass
except ValueError as e: print(e)
def range(n): return ['mine'] * n
for i in range(2): print(i, end=' ')
def f(enumerate): return [v for v in enumerate('ab')]
print(f(lambda t: ['e', t]))
args = ([1, 2], [3, 4])
print([s for s in zip(*args)], [i for i in (n for n in [1, 2])])""",
    "imports": """
import os.path, numpy.linalg as la, collections as c
from math import *
from math import sqrt as root, pi
try: import no_such_module as nope
except ImportError: nope = None
if nope is None: import json as js
else: js = nope
print(os.path.basename('a/b'), la.norm([3, 4]), c.OrderedDict(), root(4), floor(2.5))
print(pi, js.dumps([1]), nope)
def f():
    import numpy as np
    from os import path, sep
    return np.ones(1), path.basename('x/y')
print(f())
from math import (sin as
                  s, cos)
print(s(0), cos(0))
try: from math import nothing
except ImportError as e: print(str(e)[:30])
pow = 1
from math import *
print(pow(2, 3))""",
    "annotations": """
from typing import List
x: int = 3
y: List[int]
(z): str = 'z'
print(__annotations__)
def f(a: int, /, b: 'B' = 2, *args: float, k: x = 1, **kw: y if False else str) -> None:
    c: undefined = 4
    d: undefined
    return c
print(f(1), f.__annotations__)
class A:
    a: int
    b: str = 'b'
    __c: float = 1.0
    if True: e: bytes = b''
    def m(self):
        self.q: int = 3
        return self.q
print(A.__annotations__, A().m(), A.b)
def g():
    try: d
    except UnboundLocalError as e: return str(e)
    d: int
print(g())
def h():
    (elsewhere): int
    return elsewhere
elsewhere = 'global'
print(h())""",
    "annotations as texts": """
from __future__ import annotations
import asyncio
async def g(a: Nothing) -> Nothing: return a
print(asyncio.run(g(1)), g.__annotations__)
def f(a: Nothing[1], b: 'quoted') -> None | X: pass
class A: v: Some.Thing = 1
w: Other
print(f.__annotations__, A.__annotations__, __annotations__)""",
    "documentation": '''
"""Of the module."""
def f():
    """Of f."""
class A:
    """Of A.

      indented\tmore
    \tand tabs

    """
    def m(self): "Of m."
def g():
    """
    first line empty
      second
   less
      """
print(repr(g.__doc__), repr(A.__doc__))
print(__doc__, f.__doc__, A.__doc__, A.m.__doc__, (lambda: 0).__name__, f.__name__)''',
    "conditional values with assignments inside": """
def f(a, b):
    r = (x := a) and (y := b)
    try: return r, x, y
    except UnboundLocalError as e: return r, x, str(e)
print(f(0, 1), f(1, 0))
def g(a):
    v = (p := 1) if a else (q := 2)
    try: return p
    except UnboundLocalError: return q
print(g(1), g(0))
def h(a):
    if 0 < (m := a) < 3 and (n := m * 2) > 2: return m, n
    return m
print(h(1), h(2), h(5))""",
    "match": """
import dataclasses
@dataclasses.dataclass
class P:
    x: int
    y: int
class Color: RED = 1; BLUE = 2
def f(v):
    match v:
        case 0 | None: return 'nothing'
        case Color.BLUE: return 'blue'
        case True: return 'yes'
        case -1.5 | 2 + 3j: return 'number'
        case int(n) if n > 100: return 'large', n
        case int() | float(): return 'small', v
        case 'a' | 'b' as letter: return letter
        case str(): return 'text'
        case []: return 'empty'
        case [one]: return 'one', one
        case [first, *rest] if first == 'go': return rest
        case (a, [b, *_]) | [a, b, _]: return a, b
        case [_, _, *_]: return 'many'
        case {'kind': 'k', 'v': val, **more}: return val, more
        case {}: return 'mapping'
        case P(x=0, y=y): return 'on axis', y
        case P(x, y) if x == y: return 'diagonal', x
        case P(): return 'point'
        case other: return 'other', other
import numpy as np
for v in (0, None, 2, True, -1.5, 2+3j, 101, 7, 1.5, 'a', 'zz', [], [1], ['go', 2, 3], (1, [2, 3]),
          [1, 2, 3, 4], {'kind': 'k', 'v': 1, 'w': 2}, {'q': 1}, P(0, 5),
          P(3, 3), P(1, 2), {1}, b'ab', range(2)):
    print(f(v), end=' ')
def g(items):
    total = 0
    for item in items:
        match item:
            case ('add', n): total += n
            case ('skip',): continue
            case ('stop',): break
            case _: total -= 1
    else: return total, 'all'
    return total
print(g([('add', 2), ('skip',), 'x', ('add', 5)]), g([('stop',), 1]))
def unbound(v):
    match v:
        case [a, b] if a > b: return a
        case [c]: pass
    try: return a, b
    except UnboundLocalError as e: return str(e)
print(unbound([2, 1]), unbound([1, 2]), unbound([1]), unbound(3))
match [1, 2]:
    case [p, q]: print(p, q)
class K:
    __limit = 3
    def m(self, v):
        match v:
            case self.__limit: return 'limit'
            case [self.__limit, __z]: return __z
            case int(_): return 'int'
            case K() as me: return me is self
k = K()
print(k.m(3), k.m([3, 4]), k.m(5), k.m(k))
def closed(v):
    match v:
        case {'a': w}: pass
        case str(w): pass
        case _: w = None
    return (lambda: w)()
print(closed({'a': 1}), closed('s'), closed(2))
def guarded(v):
    match v:
        case x if (y := x) > 3: return 'big', y
        case x: return 'small', x, y
print(guarded(5), guarded(1))""",
    "frames asked for their names": """
a = 1
print(sorted(k for k in locals() if k in ('a', 'b')), 'a' in vars(), 'a' in dir(), eval('a + 1'))
exec('b = a + 2')
print(b, globals()['b'])
globals()['a'] = 10
print(a)
for i in range(2):
    globals()['a'] += 1
    print(a)
def f(x):
    y = x + 1
    return sorted(locals()), eval('x * y'), sorted(vars())
print(f(3))
def g(x):
    exec('z = x', {'x': x}, space := {})
    return space, globals()['a'], vars(A)['q'], eval('1 + q', {'q': x})
class A:
    q = 5
    w = sorted(k for k in locals() if k[0] != '_')
    vars()['made'] = 1
    def m(self): return self.q, __class__
print(g(2), A.w, A.made, A().m()[0])
def outer(n):
    k = 1
    def inner(): return locals(), n
    k = 2
    return inner(), k
print(outer(3))
print([eval('i') for i in range(2)])
def late(): return eval('late_value')
late_value = 'late'
print(late())
h = (lambda v: sorted(locals()))(3)
print(h)""",
    "coroutines": """
import asyncio
async def wait(v):
    await asyncio.sleep(0)
    return v + 1
async def many(n):
    out = [await wait(i) for i in range(n)]
    async for v in numbers(2): out.append(v)
    async with Manager() as m: out.append(m)
    return out, [v async for v in numbers(2)]
async def numbers(n):
    for i in range(n): yield i
class Manager:
    __state = 1
    async def __aenter__(self): return self.__state
    async def __aexit__(self, *a): return False
    def plain(self): return 'plain'
def outer(k):
    n = k
    async def inner(): return n + k
    n += 1
    return asyncio.run(inner())
def apart(k):
    async def alone(v): return v * 2
    return asyncio.run(alone(k))
print(asyncio.run(many(2)), outer(3), apart(4), Manager().plain())""",
    "groups of exceptions": """
def f(errors):
    seen = []
    n = 0
    try:
        n = 1
        raise ExceptionGroup('g', errors)
    except* ValueError as group: seen.append(('v', len(group.exceptions))); n += 1
    except* TypeError as group: seen.append(('t', len(group.exceptions)))
    return seen, n
print(f([ValueError(1), TypeError(2), ValueError(3)]))
def g(n):
    for k in range(n):
        try:
            if k == 2: break
        except* ValueError: pass
    return k
def h(n):
    for k in range(n):
        try:
            if k == 2: return k
        except* ValueError: pass
print(g(5), h(5))
x = 0
try: x = 1; raise ExceptionGroup('g', [KeyError(1)])
except* KeyError: y = x + 1
print(x, y)""",
    "bases that are unpacked": """
class A: pass
class B: pass
bases = (A, B)
options = {'metaclass': type}
class C(*bases, **options):
    v = 1
    def get(self): return self.v
print([b.__name__ for b in C.__mro__], C().get())
def f(*bases):
    class D(*bases):
        def get(self): return super().__repr__()[:3], len(bases)
    return D().get()[1]
print(f(A))""",
    "operators": """
import operator
a, b = 7, 3
print(a + b, a - b, a * b, a / b, a // b, a % b, a ** b, a << b, a >> b)
print(a | b, a ^ b, a & b, -a, +a, ~a, not a)
print(a is b, a is not b, a in [a], a not in [a], a == b, a != b, a < b, a <= b, a > b, a >= b)
print(-1 ** 2, - -3, -2.5, -1j)
import numpy as np
print(np.eye(2) @ np.ones(2), ..., None, True, b'x', 1_000, 0x10, 'a' 'b')
l = list(range(10)); print(l[1], l[-1], l[1:3], l[::2], l[:], l[::-1], l[slice(1, 2)])
m = np.arange(24).reshape(2, 3, 4); print(m[1, ..., 0], m[:, None, 1:2].shape, m[0][1][2])""",
}
