autocmd BufRead,BufNewFile *.lac setfiletype lac
