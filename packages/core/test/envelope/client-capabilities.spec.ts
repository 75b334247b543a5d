import { declaresCapability, declaresExtension, missingCapabilities, supportsElicitation } from '../../src/envelope/client-capabilities.js';
import type { ClientCapabilities } from '../../src/protocol/official.js';

const as = (value: unknown): ClientCapabilities => value as ClientCapabilities;
const ID = 'io.modelcontextprotocol/tasks';

describe('an extension', () => {
  it.each([{}, { a: 1 }, { nested: { deep: [] } }])('is declared by the object %j', (value) => {
    expect(declaresExtension(as({ extensions: { [ID]: value } }), ID)).toBe(true);
  });

  it.each([null, true, false, 1, 'yes', [], [{}]])('is not declared by %j', (value) => {
    expect(declaresExtension(as({ extensions: { [ID]: value } }), ID)).toBe(false);
  });

  it.each([{}, { extensions: null }, { extensions: [] }, { extensions: { other: {} } }, { [ID]: {} }])(
    'is not declared in %j',
    (capabilities) => {
      expect(declaresExtension(as(capabilities), ID)).toBe(false);
    },
  );

  it.each(['__proto__', 'constructor', 'toString'])('is not declared by what every object has: %s', (id) => {
    expect(declaresExtension(as({ extensions: {} }), id)).toBe(false);
    expect(declaresCapability(as({}), id)).toBe(false);
  });
});

describe('elicitation', () => {
  it.each([
    [{}, false, false],
    [{ elicitation: {} }, true, false],
    [{ elicitation: { other: {} } }, true, false],
    [{ elicitation: { form: {} } }, true, false],
    [{ elicitation: { url: {} } }, false, true],
    [{ elicitation: { form: {}, url: {} } }, true, true],
    [{ elicitation: { form: false } }, false, false],
    [{ elicitation: { url: null } }, false, false],
    [{ elicitation: true }, false, false],
    [{ elicitation: [] }, false, false],
  ])('%j gives form %s and url %s', (capabilities, form, url) => {
    expect(supportsElicitation(as(capabilities), 'form')).toBe(form);
    expect(supportsElicitation(as(capabilities), 'url')).toBe(url);
  });
});

describe('what is missing', () => {
  it.each([
    [{}, { sampling: {} }, { sampling: {} }],
    [{ sampling: {} }, { sampling: {} }, undefined],
    [{ sampling: {} }, { sampling: {}, roots: {} }, { roots: {} }],
    [{ elicitation: {} }, { elicitation: { url: {} } }, { elicitation: { url: {} } }],
    [{ elicitation: {} }, { elicitation: { form: {} } }, undefined],
    [{ elicitation: {} }, { elicitation: { form: {}, url: {} } }, { elicitation: { url: {} } }],
    [{ elicitation: { url: {} } }, { elicitation: { form: {} } }, { elicitation: { form: {} } }],
    [{ elicitation: { form: {} } }, { elicitation: {} }, undefined],
    [{}, { extensions: { [ID]: {} } }, { extensions: { [ID]: {} } }],
    [{ extensions: { [ID]: { any: 1 } } }, { extensions: { [ID]: {} } }, undefined],
    [{ extensions: { [ID]: true } }, { extensions: { [ID]: {} } }, { extensions: { [ID]: {} } }],
  ])('of %j for %j is %j', (declared, required, missing) => {
    expect(missingCapabilities(as(declared), as(required))).toEqual(missing);
  });

  it('leaves what was required as it is', () => {
    const required = Object.freeze({ elicitation: Object.freeze({ form: Object.freeze({}) }) });
    missingCapabilities(as({ elicitation: {} }), as(required));
    expect(required).toEqual({ elicitation: { form: {} } });
  });
});
