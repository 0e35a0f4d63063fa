#!/usr/bin/env python3
"""profile-lines: the CSV of a profiler's source page as lines of --profile.

usage: profile_test.py PROFILE_LINES
"""
import subprocess
import sys

PAGE = '''==PROF== Connected to process 7
"Kernel Name","map_grad"
"File Path","/home/x/map.grad.cuh"
"#","Source","# Samples","L2 Theoretical Sectors Global","Warp Stall (All)"
"1","#pragma once","","",""
"41","gw_atomic_add(&d_x[i], a, ""b"");","812","4,194,304","1.5"
"42","}","0","0",""
"File Path","/home/x/map.cu"
"Line No","Source","# Samples"
"7","y[i] = x[i];","3"
"7","y[i] = x[i];","4"
'''
# As Nsight Compute 2025.3 writes it (--print-source cuda,sass): instructions below their lines, and gaps
# between them.
WITH_INSTRUCTIONS = '''"File Path","/home/x/map.grad.cuh"
"Function Name","void map_grad<(bool)1>(float *)"
"Line No","Source","Address","Source","# Samples","Instructions Executed","Avg. Threads Executed","Access Operation","stall_wait (Not Issued)"
"41","d_x[i] += a * b[""k""];","-","-","12","6,240","64","-","3"
"","","0x7fe5117c2310","      ULDC UR5, c[0x0][0x0]","5","192","32","-","3"
"","","...","...","-","-","-","-","-"
"","","0x7fe5117c2340","      S2R R3, SR_TID.Y","7","432","32","-","0"
'''
WITH_INSTRUCTIONS_WANTED = '''/home/x/map.grad.cuh:41 instructions-executed 6240
/home/x/map.grad.cuh:41 samples 12
/home/x/map.grad.cuh:41 stall_wait-not-issued 3
'''
WANTED = '''/home/x/map.cu:7 samples 7
/home/x/map.grad.cuh:41 l2-theoretical-sectors-global 4194304
/home/x/map.grad.cuh:41 samples 812
/home/x/map.grad.cuh:41 warp-stall-all 1.5
'''


def run(text, *names):
    return subprocess.run([sys.executable, sys.argv[1], *names], input=text, capture_output=True, text=True)


def main():
    assert run(PAGE, "--all").stdout == WANTED, run(PAGE, "--all")
    assert run(PAGE).stdout == "".join(line for line in WANTED.splitlines(True) if "stall" not in line), \
        run(PAGE)
    assert run(WITH_INSTRUCTIONS, "--all").stdout == WITH_INSTRUCTIONS_WANTED, run(WITH_INSTRUCTIONS, "--all")
    unnamed = PAGE.replace("File Path", "Something")
    assert run(unnamed, "z.cu").stdout.startswith("z.cu:7 samples 7\n"), run(unnamed, "z.cu")
    assert run(unnamed).returncode == 1 and "names no file" in run(unnamed).stderr
    assert run("nothing").returncode == 1 and "no lines with numbers" in run("nothing").stderr


main()
