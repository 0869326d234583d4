# Worker 1 looks at the lock only while worker 0 holds it; between two looks, worker 0 frees it and takes it again.
protocol tests/liveness/starvation.lac
variant original

cell main sc
must worker[1] looks at taken only while it is `true`: after step
must taken does not stay as it is: worker[0] changed taken from `false` to `true` .. worker[0] wrote `false` to taken
