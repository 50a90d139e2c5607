import { withTitle } from './with-title.ts';

// Asserts contract/report-templates.md#html.
test.each([
  ['<p>a</p>', '<title>A &amp; b</title><p>a</p>'],
  [
    '<!doctype html>\n<html lang="en"><head><meta>',
    '<!doctype html>\n<html lang="en"><head><title>A &amp; b</title><meta>',
  ],
  ['<!-- x --><header>a', '<!-- x --><title>A &amp; b</title><header>a'],
  ['<html><head><title> </title>', '<html><head><title>A &amp; b</title><title> </title>'],
  ['<html><head><title>Own</title></head>', '<html><head><title>Own</title></head>'],
  ['<body><svg><title>x</title></svg>', '<title>A &amp; b</title><body><svg><title>x</title></svg>'],
])('the title of %s is the name of the document, unless it has one', (html, expected) => {
  expect(withTitle(html, 'A & b.pdf')).toBe(expected);
});
