"""The craps table for many: chairs, a bank, signed bets, shared dice."""
