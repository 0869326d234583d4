# The mutator deletes the only reference to b during marking, and without the barrier nobody tells the collector: all threads end, and b is not marked.
protocol protocols/marking/active/deletion.lac
variant satb_off

cell main sc
must nothing happens after step
must b.meta is 0
must b is not reachable since step .. mutator wrote `null` to a.field
