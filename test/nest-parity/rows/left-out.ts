/** The exports of class-validator and class-transformer that begin with a capital letter and that no row uses, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  ClassTransformer: 'a class, no decorator',
  MetadataStorage: 'a class, no decorator',
  TransformInstanceToInstance: 'decorates methods, not DTOs',
  TransformInstanceToPlain: 'decorates methods, not DTOs',
  TransformPlainToInstance: 'decorates methods, not DTOs',
  ValidationError: 'a class, no decorator',
  ValidationTypes: 'a class, no decorator',
  Validator: 'a class, no decorator',
};
