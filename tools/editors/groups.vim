" What Vim marks in texts: vim -es -u NONE --cmd 'set rtp^=editors/vim' -S groups.vim FILES-LIST OUT. The lines are those of the example `marks`.
vim9script
const KINDS = {lacKeyword: 'Keyword', lacLiteral: 'Keyword', lacNumber: 'Number', lacTitle: 'Title', lacComment: 'Comment'}

def Marks(file: string): list<string>
    execute 'edit!' fnameescape(file)
    set filetype=lac
    var marks: list<string> = []
    for line in range(1, line('$'))
        const text = getline(line)
        var [start, group] = [0, '']
        for column in range(0, len(text))
            const here = column < len(text) ? synIDattr(synID(line, column + 1, 1), 'name') : ''
            const joins = here == group && (here == 'lacComment' || here == 'lacTitle' || strpart(text, column, 1) =~ '\w')
            if !joins
                if has_key(KINDS, group)
                    add(marks, $'{file}:{line} {KINDS[group]} {trim(strpart(text, start, column - start), " \t\r", 2)}')
                endif
                [start, group] = [column, here]
            endif
        endfor
    endfor
    return marks
enddef

filetype plugin on
syntax on
const [list, out] = [argv(0), argv(1)]
var all: list<string> = []
for file in readfile(list)
    extend(all, Marks(file))
endfor
writefile(all, out)
qall!
