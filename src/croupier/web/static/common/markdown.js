// Markdown for the rules of games, the part that they use: headings, paragraphs, lists, tables, code.

import { el, tableOf } from "../lib/dom.js";

function inline(text) {
  const parts = [];
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/g;
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    parts.push(text.slice(at, found.index));
    const [whole, code, strong, soft, label] = found;
    if (code !== undefined) parts.push(el("code", {}, code));
    else if (strong !== undefined) parts.push(el("strong", {}, strong));
    else if (soft !== undefined) parts.push(el("em", {}, soft));
    else parts.push(label); // pages link to pages that are not here
    at = found.index + whole.length;
  }
  parts.push(text.slice(at));
  return parts;
}

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim());

/** Return Markdown as elements. */
export function showMarkdown(text) {
  const found = [];
  const lines = text.split("\n");
  let at = 0;
  const takeWhile = (test) => {
    const begin = at;
    while (at < lines.length && test(lines[at])) at += 1;
    return lines.slice(begin, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    if (!line.trim()) {
      at += 1;
    } else if (line.startsWith("```")) {
      at += 1;
      const body = takeWhile((one) => !one.startsWith("```"));
      at += 1;
      found.push(el("pre", { tabindex: "0" }, body.join("\n")));
    } else if (/^#{1,4} /.test(line)) {
      at += 1;
      const level = Math.min(line.indexOf(" ") + 1, 4);
      found.push(el(`h${level}`, {}, inline(line.replace(/^#+ /, ""))));
    } else if (line.startsWith("|")) {
      const [head, , ...rows] = takeWhile((one) => one.startsWith("|"));
      const table = tableOf(cells(head).map(inline), rows.map((row) => cells(row).map(inline)));
      found.push(el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "a table" }, table));
    } else if (/^(\d+\.|-) /.test(line)) {
      const isOrdered = /^\d/.test(line);
      const items = [];
      for (const one of takeWhile((each) => /^(\d+\.|-) |^ {2,}\S/.test(each))) {
        const words = one.trim().replace(/^(\d+\.|-) /, "");
        if (!/^ /.test(one)) items.push([words]);
        else if (/^ +- /.test(one)) items.at(-1).push(words);
        else items.at(-1).push(`${items.at(-1).pop()} ${words}`);
      }
      const under = (parts) => (parts.length ? el("ul", {}, parts.map((part) => el("li", {}, inline(part)))) : null);
      found.push(el(isOrdered ? "ol" : "ul", {}, items.map(([item, ...parts]) => el("li", {}, inline(item), under(parts)))));
    } else {
      const body = takeWhile((one) => one.trim() && !/^(#|\||```|- |\d+\. )/.test(one));
      found.push(el("p", {}, inline(body.join(" "))));
    }
  }
  return found;
}

// What is for those who write commands or options, not for those who sit at the table.
const ELSEWHERE = /^## (Options|How to check it|Bots|The coach|What you can do|In the terminal)$/;
const COMMAND = /`(croupier|python|pip|--)|^In the terminal/;

// A paragraph without its sentences about commands; lists and tables have none.
function withoutCommands(part) {
  if (!COMMAND.test(part) || /^(#|\||- |\d+\. )/.test(part)) return part;
  return part.replaceAll("\n", " ").split(/(?<=[.:;]) (?=[A-Z`])/).filter((sentence) => !COMMAND.test(sentence)).join(" ").replace(/[:;]$/, ".");
}

/** Return the part of a rules page that a player reads: without commands, options and how to check it; bets have names in words. */
export function forPlayers(text) {
  const parts = text.split(/^(?=## )/m);
  const kept = parts.filter((part) => !ELSEWHERE.test(part.split("\n", 1)[0]));
  const told = (kept.length > 1 ? kept : parts).join("").replace(/^```[^]*?^```$/gm, "");
  const named = told.split("\n\n").map(withoutCommands).join("\n\n");
  return named.replace(/`([a-z0-9_:-]+)`/g, (_, name) => name.replace(/[_:]/g, " "));
}
