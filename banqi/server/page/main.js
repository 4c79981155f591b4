// The start of the page.
