"""All messages between server and clients; the schema and TypeScript types are made from them."""

from triomino.packages import require_packages

require_packages("triomino.protocol", "msgspec")
