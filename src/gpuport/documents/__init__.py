"""Forms of reports that other programs show: SARIF, GitHub's annotations, Markdown, HTML."""
