"""The API as a whole: its addresses, its OpenAPI document and the page that shows it."""
