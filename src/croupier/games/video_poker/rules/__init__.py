"""The rules of video poker in numbers: what `hands` pay, `rounds` from the deal to the return, what `holds` are worth.

Everything in these modules is in the numeric subset and trusts its arguments.
"""
