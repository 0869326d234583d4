# The collector could stop the world only now and then, and a fair scheduler may pass it over while the mutator writes on and on.
protocol tests/liveness/stopped_world.lac
variant original

cell main sc
must repeat forever: mutator writes x
must collector could go on at line 8, but not after step
