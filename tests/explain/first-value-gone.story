# The reader looks only once the writer has written both values and ended: it sees the second forever, and never the first.
protocol tests/liveness/register.lac
variant original

cell main sc
must step .. repeats forever: reader looks at x
must reader looks again and again at line 13: x is 2
must only writer writes x .. and has ended
