# A plain program that asks on a line whenever a line `n` is typed. The file that it asks about is the instant (µs, monotonic).
import sys
import time

print("-READY-", flush=True)
while sys.stdin.readline():
    input("Overwrite probe-%d? [y/N] " % (time.monotonic_ns() // 1000))
