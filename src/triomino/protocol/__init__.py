"""All messages between server and clients; the schema and TypeScript types are made from them."""
