"""How strong the bots are: what thinking briefly loses, how they rank, whether they keep time."""
