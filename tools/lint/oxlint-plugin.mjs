/** The lint rules that oxlint does not have itself. */

/** A constructor's parameters are what Nest injects, so their number says how much a class needs, not how hard it is to call. */
const isConstructor = (node) => node.parent?.type === 'MethodDefinition' && node.parent.kind === 'constructor';

/** `max-params` of ESLint, constructors left out. Option: the highest number of parameters allowed. */
const maxParams = {
  meta: { schema: [{ type: 'integer', minimum: 0 }] },
  create(context) {
    const [max = 3] = context.options;
    const check = (node) => {
      const count = node.params.length;
      if (count <= max || isConstructor(node)) return;
      context.report({ node, message: `Function has ${count} parameters, at most ${max} are allowed: pass one object instead.` });
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check, TSEmptyBodyFunctionExpression: check };
  },
};

export default { meta: { name: 'mocapi' }, rules: { 'max-params': maxParams } };
