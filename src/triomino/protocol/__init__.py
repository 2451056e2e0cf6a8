"""Every message between server and clients; schema and TypeScript types come from here."""
