/**
 * Moves as the modules of the games read and make them: for each type one shape with the members of all its forms. What
 * stands for a place, a tile or a piece is any word or number; which of them can be is for the rules to say.
 */

import type { CiteLumiereMove, ParisMove } from "./api";

type Wide<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends (infer Item)[]
      ? Wide<Item>[]
      : Value;
type Names<Form> = Form extends unknown ? keyof Form : never;
type Member<Form, Name extends PropertyKey> = Form extends { [Key in Name]?: infer Value } ? Wide<Value> : never;
type Merged<Form, Type, All> = { type: Type } & { [Name in Exclude<keyof Form, "type">]: Member<Form, Name> } & {
  [Name in Exclude<Names<Form>, keyof Form>]?: Member<Form, Name>;
} & { [Name in Exclude<Names<All>, Names<Form>>]?: undefined };
type ByType<Form extends { type: string }> = {
  [Type in Form["type"]]: Merged<Extract<Form, { type: Type }>, Type, Form>;
}[Form["type"]];

export type AnyCiteMove = ByType<CiteLumiereMove>;
export type AnyParisMove = ByType<ParisMove>;
