# Prints TEXT in a bash or a python for each line of its input, by pexpect's own wrapper, and prints what came back.
import sys
from pexpect import replwrap

if sys.argv[1] == "bash":
    shell = replwrap.bash()
    # Its own output, without what switches bracketed paste on and off.
    shell.run_command("bind 'set enable-bracketed-paste off'")
    command = "echo %s"
else:
    shell = replwrap.python("python3")
    command = 'print("%s")'
for line in sys.stdin:
    print(shell.run_command(command % line.strip()).strip(), flush=True)
