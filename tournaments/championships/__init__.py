"""Groups, semifinal, final: stages, who goes on, and with what."""
