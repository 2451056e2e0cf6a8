"""Whether the analysis tells the truth: calibration, luck and who gives most away."""
