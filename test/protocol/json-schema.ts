// Just enough of JSON Schema to judge what `baton schema` prints: says what is wrong with a value, by path.
// A keyword it does not know is an error of the schema, so that nothing is passed over in silence.

export type JsonSchema = Record<string, unknown>;

const silent = ['$schema', '$defs', 'title', 'description', 'default', 'format'];
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeNames = (value: unknown): string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (Number.isInteger(value)) return ['integer', 'number'];
  return [typeof value];
};

type Judge = (want: never, value: never, o: { at: string; schema: JsonSchema; root: JsonSchema }) => string[];
const bad = (at: string, isBad: boolean, what: string) => (isBad ? [`${at}: ${what}`] : []);
const only =
  <T>(isKind: (value: unknown) => value is T, judge: (want: never, value: T, at: string) => string[]): Judge =>
  (want, value, { at }) =>
    isKind(value) ? judge(want, value, at) : [];
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

const judges: Record<string, Judge> = {
  $ref: (ref: string, value, { at, root }) => {
    const target = ref
      .slice(2)
      .split('/')
      .filter(Boolean)
      .reduce<unknown>((here, key) => (here as JsonSchema)[key], root);
    return judge(target as JsonSchema, value, at, root);
  },
  type: (type: string | string[], value, { at }) =>
    bad(at, ![type].flat().some(name => typeNames(value).includes(name)), `is not ${type}`),
  const: (want, value, { at }) => bad(at, JSON.stringify(want) !== JSON.stringify(value), `is not ${want}`),
  enum: (choices: unknown[], value, { at }) => bad(at, !choices.includes(value), `is none of ${choices}`),
  anyOf: (branches: JsonSchema[], value, { at, root }) =>
    bad(
      at,
      branches.every(branch => judge(branch, value, at, root).length > 0),
      'fits no branch',
    ),
  oneOf: (branches: JsonSchema[], value, { at, root }) => {
    const fitting = branches.filter(branch => judge(branch, value, at, root).length === 0).length;
    return bad(at, fitting !== 1, `fits ${fitting} branches`);
  },
  minimum: only(isNumber, (want: number, value, at) => bad(at, value < want, 'is too small')),
  exclusiveMinimum: only(isNumber, (want: number, value, at) => bad(at, value <= want, 'is too small')),
  maximum: only(isNumber, (want: number, value, at) => bad(at, value > want, 'is too large')),
  minLength: only(isText, (want: number, value, at) => bad(at, [...value].length < want, 'is too short')),
  maxLength: only(isText, (want: number, value, at) => bad(at, [...value].length > want, 'is too long')),
  pattern: only(isText, (want: string, value, at) => bad(at, !new RegExp(want, 'u').test(value), 'does not fit')),
  minItems: only(isList, (want: number, value, at) => bad(at, value.length < want, 'has too few items')),
  maxItems: only(isList, (want: number, value, at) => bad(at, value.length > want, 'has too many items')),
  items: (items: JsonSchema, value: unknown, { at, root }) =>
    isList(value) ? value.flatMap((item, i) => judge(items, item, `${at}[${i}]`, root)) : [],
  required: only(isObject, (keys: string[], value, at) =>
    keys.filter(key => !Object.hasOwn(value, key)).map(key => `${at}: lacks ${key}`),
  ),
  properties: (properties: Record<string, JsonSchema>, value: unknown, { at, root }) => {
    if (!isObject(value)) return [];
    const known = Object.entries(value).filter(([key]) => Object.hasOwn(properties, key));
    return known.flatMap(([key, item]) => judge(properties[key]!, item, `${at}.${key}`, root));
  },
  propertyNames: (names: JsonSchema, value: unknown, { at, root }) =>
    isObject(value) ? Object.keys(value).flatMap(key => judge(names, key, `${at}.${key}`, root)) : [],
  additionalProperties: (rest: JsonSchema | boolean, value: unknown, { at, schema, root }) => {
    if (!isObject(value)) return [];
    const others = Object.entries(value).filter(([key]) => !Object.hasOwn((schema.properties as object) ?? {}, key));
    if (rest === false) return others.map(([key]) => `${at}: has an unknown ${key}`);
    return rest === true ? [] : others.flatMap(([key, item]) => judge(rest, item, `${at}.${key}`, root));
  },
};

export function judge(schema: JsonSchema, value: unknown, at = '$', root = schema): string[] {
  return Object.entries(schema).flatMap(([keyword, want]) => {
    if (silent.includes(keyword)) return [];
    const one = judges[keyword];
    if (one === undefined) throw new Error(`the schema uses "${keyword}", which this test does not know`);
    return one(want as never, value as never, { at, schema, root });
  });
}
