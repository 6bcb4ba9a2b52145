"""``python -m gpuport``."""

from gpuport.cli.main import main

if __name__ == "__main__":
    main()
