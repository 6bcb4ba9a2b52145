"""``python -m gpuport.host [--counters FILE] [-m MODULE | SCRIPT] ARGS...``."""

from gpuport.host.run import main

if __name__ == "__main__":
    main()
