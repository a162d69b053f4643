// Forms from JSON schemas: a field for each part of a payload, and what was filled in as JSON.

import { el, show, t } from "../lib/dom.js";
import { wordsFor } from "./panels.js";

const LISTED_MAX = 12; // more items than that are written, not ticked

function resolved(schema, root) {
  if (!schema || schema === true) return {};
  if (!schema.$ref) return schema;
  const name = schema.$ref.split("/").at(-1);
  return resolved({ ...root.$defs?.[name], ...schema, $ref: undefined }, root);
}

function choicesOf(schema) {
  if (Array.isArray(schema.enum)) return schema.enum;
  return "const" in schema ? [schema.const] : null;
}

function typeOf(schema) {
  if (Array.isArray(schema.type)) return schema.type.find((one) => one !== "null");
  return schema.type ?? (schema.properties ? "object" : schema.items || schema.prefixItems ? "array" : "");
}

function labelled(name, control, note = "") {
  return el("label", { class: "generic-field" }, el("span", {}, wordsFor(name)), control, note ? el("small", {}, note) : null);
}

const fieldset = (name, ...inside) => el("fieldset", { class: "generic-field" }, el("legend", {}, wordsFor(name)), inside);

function choiceField(name, values, value) {
  const select = el("select", {}, values.map((one, index) => el("option", { value: String(index), selected: one === value }, wordsFor(one))));
  return { element: labelled(name, select), read: () => values[Number(select.value)] };
}

function booleanField(name, value) {
  const box = el("input", { type: "checkbox", checked: Boolean(value) });
  return { element: el("label", { class: "generic-field generic-tick" }, box, el("span", {}, wordsFor(name))), read: () => box.checked };
}

function numberField(name, schema, value, range) {
  const low = range?.low ?? schema.minimum ?? (schema.exclusiveMinimum === undefined ? null : schema.exclusiveMinimum + 1);
  const high = range?.high ?? schema.maximum ?? (schema.exclusiveMaximum === undefined ? null : schema.exclusiveMaximum - 1);
  const isSafe = (one) => one !== null && one !== undefined && Math.abs(one) <= Number.MAX_SAFE_INTEGER;
  const step = range?.step ?? schema.multipleOf ?? (typeOf(schema) === "integer" ? 1 : "any");
  const input = el("input", {
    type: "number",
    inputmode: step === 1 ? "numeric" : "decimal",
    required: true,
    min: isSafe(low) ? String(low) : null,
    max: isSafe(high) ? String(high) : null,
    step: String(step),
    value: String(value ?? (isSafe(low) ? low : 0)),
  });
  const note = isSafe(low) && isSafe(high) ? t`${low} to ${high}` : isSafe(low) ? t`${low} or more` : "";
  return { element: labelled(name, input, note), read: () => Number(input.value) };
}

let lists = 0; // a list of suggestions is found by its id

function textField(name, schema, value) {
  const words = schema.examples ?? [];
  const id = words.length ? `generic-list-${(lists += 1)}` : null;
  const input = el("input", {
    type: "text",
    value: value ?? "",
    list: id,
    minlength: schema.minLength ?? null,
    maxlength: schema.maxLength ?? null,
    pattern: schema.pattern ?? null,
  });
  const list = id ? el("datalist", { id }, words.map((one) => el("option", { value: one }))) : null;
  return { element: labelled(name, [input, list]), read: () => input.value };
}

function ticksField(name, values, value = []) {
  const boxes = values.map((one) => ({ one, box: el("input", { type: "checkbox", checked: value.includes(one) }) }));
  const ticks = boxes.map(({ one, box }) => el("label", {}, box, ` ${wordsFor(one)}`));
  const element = fieldset(name, el("div", { class: "generic-ticks" }, ticks));
  return { element, read: () => boxes.filter(({ box }) => box.checked).map(({ one }) => one) };
}

// A list is ticked where its items are few, and otherwise grows and shrinks item by item.
function listField(name, schema, value, root, range) {
  const item = resolved(schema.items, root);
  const known = choicesOf(item);
  if (known) return ticksField(name, known, value ?? []);
  const span = item.maximum - item.minimum + 1;
  if (typeOf(item) === "integer" && span > 0 && span <= LISTED_MAX) {
    return ticksField(name, Array.from({ length: span }, (_, index) => item.minimum + index), value ?? []);
  }
  const least = schema.minItems ?? 0;
  const most = schema.maxItems ?? 64;
  const rows = el("div", { class: "generic-items" });
  let fields = [];
  const add = (one) => {
    if (fields.length < most) fields.push(makeField(`${fields.length + 1}`, item, one, root, range));
    draw();
  };
  const draw = () => show(rows, fields.map((field) => field.element));
  for (const one of value ?? []) add(one);
  while (fields.length < least) add(undefined);
  const more = el("button", { type: "button", onclick: () => add(undefined) }, t`Add`);
  const less = el("button", { type: "button", onclick: () => fields.length > least && (fields = fields.slice(0, -1)) && draw() }, t`Remove`);
  return { element: fieldset(name, rows, el("div", { class: "generic-ticks" }, more, less)), read: () => fields.map((field) => field.read()) };
}

function tupleField(name, schema, value, root) {
  const fields = schema.prefixItems.map((item, index) => makeField(`${index + 1}`, item, value?.[index], root));
  return { element: fieldset(name, fields.map((field) => field.element)), read: () => fields.map((field) => field.read()) };
}

// One of several shapes: a choice of the shape, and the fields of the one chosen.
function variantField(name, variants, value, root) {
  const titleOf = (one) => one.title ?? choicesOf(one)?.map(wordsFor).join(", ") ?? (one.type === "null" ? "none" : typeOf(one));
  const body = el("div", {});
  let field = null;
  const choose = (index) => {
    const shape = variants[index];
    field = shape.type === "null" ? { element: null, read: () => null } : makeField(name, shape, value, root);
    show(body, field.element);
  };
  const select = el(
    "select",
    { onchange: () => choose(Number(select.value)), "aria-label": wordsFor(name) },
    variants.map((one, index) => el("option", { value: String(index) }, wordsFor(titleOf(one)))),
  );
  choose(0);
  return { element: el("div", { class: "generic-field" }, select, body), read: () => field.read() };
}

function objectField(name, schema, value, root, ranges) {
  const entries = Object.entries(schema.properties ?? {}).map(([key, part]) => ({
    key,
    isNeeded: (schema.required ?? []).includes(key),
    field: makeField(key, part, value?.[key] ?? part.default, root, ranges?.[key]),
  }));
  const inner = entries.map((entry) => entry.field.element);
  return {
    element: name ? fieldset(name, inner) : el("div", { class: "generic-fields" }, inner),
    read: () => Object.fromEntries(entries.map((entry) => [entry.key, entry.field.read()]).filter(([, part]) => part !== undefined)),
  };
}

/** Return a field for a schema: { element, read() }. `value` fills it, `range` bounds a number further. */
export function makeField(name, given, value, root, range) {
  const schema = resolved(given, root);
  const variants = (schema.anyOf ?? schema.oneOf)?.map((one) => resolved(one, root));
  if (variants)
    return variants.length === 1 ? makeField(name, variants[0], value, root, range) : variantField(name, variants, value, root);
  const known = choicesOf(schema);
  if (known) return choiceField(name, known, value ?? schema.default);
  switch (typeOf(schema)) {
    case "boolean": return booleanField(name, value ?? schema.default);
    case "integer": case "number": return numberField(name, schema, value ?? schema.default, range);
    case "array": return schema.prefixItems ? tupleField(name, schema, value, root) : listField(name, schema, value, root, range);
    case "object": return objectField(name, schema, value, root, range);
    default: return textField(name, schema, value ?? schema.default);
  }
}

/**
 * Return a form for a payload: { element, read() }. `payloads` are legal ones: the first fills the form, and what they say
 * in words is offered for text. `ranges` are the bounds that hold now, by field; a number that may be 0 starts there where
 * there are several, so that one can be filled in alone.
 */
export function makeForm(schema, payloads, ranges) {
  const whole = resolved(schema, schema);
  const names = Object.keys(whole.properties ?? {});
  const value = { ...payloads[0] };
  const parts = {};
  for (const name of names) {
    if (names.length > 1 && ranges?.[name]?.low === 0) value[name] = 0;
    const words = [...new Set(payloads.map((payload) => payload[name]).filter((one) => typeof one === "string"))];
    parts[name] = words.length ? { ...resolved(whole.properties[name], schema), examples: words } : whole.properties[name];
  }
  return objectField("", { ...whole, properties: parts }, value, schema, ranges);
}
