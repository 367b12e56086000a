# Runs `echo TEXT` in a bash for each line of its input, by pexpect's own wrapper, and prints what came back.
import sys
from pexpect import replwrap

shell = replwrap.bash()
# Its own output, without what switches bracketed paste on and off.
shell.run_command("bind 'set enable-bracketed-paste off'")
for line in sys.stdin:
    print(shell.run_command("echo " + line.strip()).strip(), flush=True)
