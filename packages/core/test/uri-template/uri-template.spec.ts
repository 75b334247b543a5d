import { assert, property, string } from 'fast-check';
import { isAbsoluteUri } from '../../src/protocol/texts.js';
import { UriTemplate } from '../../src/uri-template/uri-template.js';

const match = (template: string, uri: string) => new UriTemplate(template).match(uri);

describe('a template', () => {
  it.each([
    ['app://users/{id}', 'app://users/7', { id: '7' }],
    ['app://users/{id}/posts/{post}', 'app://users/7/posts/a-b', { id: '7', post: 'a-b' }],
    ['app://at/{lat,long}', 'app://at/1.5,-2', { lat: '1.5', long: '-2' }],
    ['app://files/{+path}', 'app://files/a/b.txt', { path: 'a/b.txt' }],
    ['app://page{#part}', 'app://page#top/1', { part: 'top/1' }],
    ['app://file{.ext}', 'app://file.txt', { ext: 'txt' }],
    ['app://a{/b,c}', 'app://a/x/y', { b: 'x', c: 'y' }],
    ['app://a{/path*}', 'app://a/x/y/z', { path: ['x', 'y', 'z'] }],
    ['app://a/{list*}', 'app://a/x,y', { list: ['x', 'y'] }],
    ['app://q{?a,b}', 'app://q?a=1&b=2', { a: '1', b: '2' }],
    ['app://q?fixed=1{&b}', 'app://q?fixed=1&b=2', { b: '2' }],
  ])('%s matches %s', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });

  it('takes the parameters of a query in any order, and none of them', () => {
    expect(match('app://q{?a,b}', 'app://q?b=2&a=1')).toEqual({ a: '1', b: '2' });
    expect(match('app://q{?a,b}', 'app://q?b=2')).toEqual({ b: '2' });
    expect(match('app://q{?a,b}', 'app://q')).toEqual({});
  });

  it.each([
    ['a segment that is empty', 'app://users/{id}', 'app://users/'],
    ['a further segment', 'app://users/{id}', 'app://users/7/more'],
    ['a query that it does not have', 'app://users/{id}', 'app://users/7?x=1'],
    ['another case', 'app://users/{id}', 'APP://users/7'],
    ['a parameter of another name', 'app://q{?a}', 'app://q?z=1'],
    ['a parameter twice', 'app://q{?a}', 'app://q?a=1&a=2'],
    ['percent signs that encode nothing', 'app://users/{id}', 'app://users/%zz'],
    ['bytes that are no UTF-8', 'app://users/{id}', 'app://users/%ff'],
    ['an encoded NUL', 'app://users/{id}', 'app://users/a%00'],
  ])('does not match %s', (_what, template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  it('gives the first variable the most where a URI can be cut in several ways', () => {
    expect(match('app://{name}.{ext}', 'app://a.tar.gz')).toEqual({ name: 'a.tar', ext: 'gz' });
  });

  it('keeps a variable named __proto__ as data', () => {
    const variables = match('app://{__proto__}', 'app://x')!;
    expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
    expect(Object.entries(variables)).toEqual([['__proto__', 'x']]);
  });

  it('gives back, decoded, whatever was encoded into it', () => {
    const text = string({ unit: 'grapheme', minLength: 1 }).filter(
      (value) => value.isWellFormed() && !/[\0/]|^\.\.?$|(^|\\)\.\.?(\\|$)/.test(value),
    );
    assert(
      property(text, text, (one, other) => {
        const uri = `app://x/${encodeURIComponent(one)}/y/${encodeURIComponent(other)}`;
        expect(match('app://x/{one}/y/{other}', uri)).toEqual({ one, other });
      }),
    );
  });

  it('takes no more time for a URI made to be cut in every way', () => {
    const template = new UriTemplate('app://{a}-{b}-{c}-{d}-{e}-{f}z');
    const start = performance.now();
    for (const tail of ['', 'y']) template.match(`app://${'-'.repeat(8000)}${tail}`);
    // A backtracking matcher needs minutes for a twentieth of it.
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('a template that could not be matched is refused', () => {
  it.each(['{', '}', 'a{b', '{}', '{a b}', '{a:3}', '{;a}', '{+a*}', '{?a*}', '{a,a}', '{=a}', 'a b/{c}', `{${'a'.repeat(3)},}`])(
    '%s',
    (text) => {
      expect(() => new UriTemplate(`app://${text}`)).toThrow();
    },
  );
});

describe('specificity', () => {
  const bySpecificity = (one: string, other: string) => {
    const [first, second] = [new UriTemplate(one).specificity, new UriTemplate(other).specificity];
    const index = first.findIndex((value, at) => value !== second[at]);
    return index === -1 ? 0 : first[index]! - second[index]!;
  };

  it.each([
    ['more literal characters', 'app://users/me/{part}', 'app://users/{id}/{part}'],
    ['fewer variables among equals', 'app://a/{b}', 'app://a/{b}{c}'],
    ['no variable that spans segments among equals', 'app://a/{b}', 'app://a/{+b}'],
  ])('grows with %s', (_what, more, less) => {
    expect(bySpecificity(more, less)).toBeGreaterThan(0);
  });

  it('and shape do not depend on the names of variables', () => {
    expect(new UriTemplate('app://{a}/{+b}').shape).toBe(new UriTemplate('app://{x}/{+y}').shape);
    expect(new UriTemplate('app://{a}').shape).not.toBe(new UriTemplate('app://{+a}').shape);
  });
});

describe('an absolute URI', () => {
  it.each(['app://x', 'file:///a', 'urn:isbn:1', 'a+b.c-1:x'])('is %s', (uri) => expect(isAbsoluteUri(uri)).toBe(true));
  it.each(['', 'x', '/a/b', '1a://x', 'a b://x', 'app://x y', 'app://x\n', 'app://\ud800'])('is not %j', (uri) =>
    expect(isAbsoluteUri(uri)).toBe(false),
  );
});
