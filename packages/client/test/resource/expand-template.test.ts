import { describe, expect, it } from "vitest"
import { expandTemplate, templateVariables, type TemplateValue } from "@entente/client"
import { legacyServer, memoryPeer, modernServer, withRules, type Rule } from "@entente/testkit"
import { connected } from "../field/connected.js"

/** The values that RFC 6570 expands its examples with (section 3.2). */
const values: Readonly<Record<string, TemplateValue>> = {
  count: ["one", "two", "three"],
  dom: ["example", "com"],
  dub: "me/too",
  hello: "Hello World!",
  half: "50%",
  var: "value",
  who: "fred",
  base: "http://example.com/home/",
  path: "/foo/bar",
  list: ["red", "green", "blue"],
  keys: { semi: ";", dot: ".", comma: "," },
  v: "6",
  x: "1024",
  y: "768",
  empty: "",
  empty_keys: {},
  undef: null,
}

/** Section 3.2, by operator; each row is a template and what it expands to. */
const vectors: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>> = {
  "3.2.1 variables": [
    ["{count}", "one,two,three"],
    ["{count*}", "one,two,three"],
    ["{/count}", "/one,two,three"],
    ["{/count*}", "/one/two/three"],
    ["{;count}", ";count=one,two,three"],
    ["{;count*}", ";count=one;count=two;count=three"],
    ["{?count}", "?count=one,two,three"],
    ["{?count*}", "?count=one&count=two&count=three"],
    ["{&count*}", "&count=one&count=two&count=three"],
  ],
  "3.2.2 simple": [
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{half}", "50%25"],
    ["O{empty}X", "OX"],
    ["O{undef}X", "OX"],
    ["{x,y}", "1024,768"],
    ["{x,hello,y}", "1024,Hello%20World%21,768"],
    ["?{x,empty}", "?1024,"],
    ["?{x,undef}", "?1024"],
    ["?{undef,y}", "?768"],
    ["{var:3}", "val"],
    ["{var:30}", "value"],
    ["{list}", "red,green,blue"],
    ["{list*}", "red,green,blue"],
    ["{keys}", "semi,%3B,dot,.,comma,%2C"],
    ["{keys*}", "semi=%3B,dot=.,comma=%2C"],
  ],
  "3.2.3 reserved": [
    ["{+var}", "value"],
    ["{+hello}", "Hello%20World!"],
    ["{+half}", "50%25"],
    ["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
    ["{+base}index", "http://example.com/home/index"],
    ["O{+empty}X", "OX"],
    ["O{+undef}X", "OX"],
    ["{+path}/here", "/foo/bar/here"],
    ["here?ref={+path}", "here?ref=/foo/bar"],
    ["up{+path}{var}/here", "up/foo/barvalue/here"],
    ["{+x,hello,y}", "1024,Hello%20World!,768"],
    ["{+path,x}/here", "/foo/bar,1024/here"],
    ["{+path:6}/here", "/foo/b/here"],
    ["{+list}", "red,green,blue"],
    ["{+list*}", "red,green,blue"],
    ["{+keys}", "semi,;,dot,.,comma,,"],
    ["{+keys*}", "semi=;,dot=.,comma=,"],
  ],
  "3.2.4 fragment": [
    ["{#var}", "#value"],
    ["{#hello}", "#Hello%20World!"],
    ["{#half}", "#50%25"],
    ["foo{#empty}", "foo#"],
    ["foo{#undef}", "foo"],
    ["{#x,hello,y}", "#1024,Hello%20World!,768"],
    ["{#path,x}/here", "#/foo/bar,1024/here"],
    ["{#path:6}/here", "#/foo/b/here"],
    ["{#list}", "#red,green,blue"],
    ["{#list*}", "#red,green,blue"],
    ["{#keys}", "#semi,;,dot,.,comma,,"],
    ["{#keys*}", "#semi=;,dot=.,comma=,"],
  ],
  "3.2.5 label": [
    ["{.who}", ".fred"],
    ["{.who,who}", ".fred.fred"],
    ["{.half,who}", ".50%25.fred"],
    ["www{.dom*}", "www.example.com"],
    ["X{.var}", "X.value"],
    ["X{.empty}", "X."],
    ["X{.undef}", "X"],
    ["X{.var:3}", "X.val"],
    ["X{.list}", "X.red,green,blue"],
    ["X{.list*}", "X.red.green.blue"],
    ["X{.keys}", "X.semi,%3B,dot,.,comma,%2C"],
    ["X{.keys*}", "X.semi=%3B.dot=..comma=%2C"],
    ["X{.empty_keys}", "X"],
    ["X{.empty_keys*}", "X"],
  ],
  "3.2.6 path segments": [
    ["{/who}", "/fred"],
    ["{/who,who}", "/fred/fred"],
    ["{/half,who}", "/50%25/fred"],
    ["{/who,dub}", "/fred/me%2Ftoo"],
    ["{/var}", "/value"],
    ["{/var,empty}", "/value/"],
    ["{/var,undef}", "/value"],
    ["{/var,x}/here", "/value/1024/here"],
    ["{/var:1,var}", "/v/value"],
    ["{/list}", "/red,green,blue"],
    ["{/list*}", "/red/green/blue"],
    ["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
    ["{/keys}", "/semi,%3B,dot,.,comma,%2C"],
    ["{/keys*}", "/semi=%3B/dot=./comma=%2C"],
  ],
  "3.2.7 path parameters": [
    ["{;who}", ";who=fred"],
    ["{;half}", ";half=50%25"],
    ["{;empty}", ";empty"],
    ["{;v,empty,who}", ";v=6;empty;who=fred"],
    ["{;v,bar,who}", ";v=6;who=fred"],
    ["{;x,y}", ";x=1024;y=768"],
    ["{;x,y,empty}", ";x=1024;y=768;empty"],
    ["{;x,y,undef}", ";x=1024;y=768"],
    ["{;hello:5}", ";hello=Hello"],
    ["{;list}", ";list=red,green,blue"],
    ["{;list*}", ";list=red;list=green;list=blue"],
    ["{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"],
    ["{;keys*}", ";semi=%3B;dot=.;comma=%2C"],
  ],
  "3.2.8 query": [
    ["{?who}", "?who=fred"],
    ["{?half}", "?half=50%25"],
    ["{?x,y}", "?x=1024&y=768"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["{?x,y,undef}", "?x=1024&y=768"],
    ["{?var:3}", "?var=val"],
    ["{?list}", "?list=red,green,blue"],
    ["{?list*}", "?list=red&list=green&list=blue"],
    ["{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"],
    ["{?keys*}", "?semi=%3B&dot=.&comma=%2C"],
  ],
  "3.2.9 query continuation": [
    ["{&who}", "&who=fred"],
    ["{&half}", "&half=50%25"],
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{&x,y,empty}", "&x=1024&y=768&empty="],
    ["{&x,y,undef}", "&x=1024&y=768"],
    ["{&var:3}", "&var=val"],
    ["{&list}", "&list=red,green,blue"],
    ["{&list*}", "&list=red&list=green&list=blue"],
    ["{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"],
    ["{&keys*}", "&semi=%3B&dot=.&comma=%2C"],
  ],
}

describe("expandTemplate", () => {
  it.each(Object.entries(vectors))("V26-RES-06 V25-RES-02 RFC 6570, %s", (_, rows) => {
    for (const [template, uri] of rows) {
      expect([template, expandTemplate(template, values)]).toEqual([template, uri])
    }
  })

  it.each([
    ["{?list}{;keys}{?keys*}", { list: [], keys: {} }, ""],
    ["{?list}", { list: [null, undefined] }, ""],
    ["{list}", { list: ["a", null, "b"] }, "a,b"],
    ["{x}{y}", { x: 0, y: false }, "0false"],
    ["{constructor}{?toString}{__proto__}", {}, ""],
    ["{constructor}", { constructor: "own" }, "own"],
    ["{emoji:1}", { emoji: "😀😀" }, "%F0%9F%98%80"],
    ["{emoji:2,a:1}", { emoji: "a😀b", a: "bc" }, "a%F0%9F%98%80,b"],
    ["{+pct}", { pct: "%41%zz" }, "%41%25zz"],
    ["{q}", { q: "'()*!" }, "%27%28%29%2A%21"],
    ["ü {x}", { x: "y" }, "%C3%BC%20y"],
    ["no variables", {}, "no%20variables"],
    ["", {}, ""],
  ] as const)("V26-RES-06 %j with %j", (template, given, uri) => {
    expect(expandTemplate(template, given)).toBe(uri)
  })

  it.each([
    "{",
    "}",
    "a{b",
    "{}",
    "{{a}}",
    "{a b}",
    "{=x}",
    "{a:}",
    "{a:0}",
    "{a:10000}",
    "{a*:3}",
    "{a,,b}",
    "{a.}",
    "{.}",
    "{%zz}",
    "x".repeat(8_193),
  ])("V26-RES-06 %j is no template", (template) => {
    for (const read of [() => expandTemplate(template, {}), () => templateVariables(template)]) {
      expect(read).toThrow(expect.objectContaining({ _tag: "InvalidInput", code: "invalid-input" }))
    }
  })

  it("V26-RES-06 values that are no texts are refused, not guessed at", () => {
    for (const value of [
      () => "x",
      Symbol("x"),
      Number.NaN,
      ["a", ["b"]],
      { a: { b: "c" } },
      "\ud800",
    ]) {
      // As a caller without TypeScript would write it.
      const given = { x: value as TemplateValue }
      expect(() => expandTemplate("{x}", given)).toThrow(
        expect.objectContaining({ _tag: "InvalidInput" }),
      )
    }
  })

  it("V26-RES-06 a template with very many variables, and one made to be slow, are read at once", () => {
    const many = "{a}".repeat(2_700)
    expect(expandTemplate(many, { a: "x" })).toBe("x".repeat(2_700))
    const started = `{${"a.".repeat(4_000)}!}`
    expect(() => templateVariables(started)).toThrow(
      expect.objectContaining({ _tag: "InvalidInput" }),
    )
  })
})

describe("templateVariables", () => {
  it("V26-RES-06 names what has to be filled in, in order and once each", () => {
    expect(templateVariables("file:///{+path}{/path:2}{?lines*,enc%20oding}{#a.b_c}")).toEqual([
      "path",
      "lines",
      "enc%20oding",
      "a.b_c",
    ])
    expect(templateVariables("plain:///x")).toEqual([])
  })
})

describe("a template that was listed", () => {
  it.each([
    ["legacy", legacyServer, {}],
    ["modern", modernServer, { resultType: "complete", ttlMs: 0, cacheScope: "private" }],
  ] as const)(
    "V26-RES-06 V25-RES-02 is filled in here, and read by its URI: %s",
    async (_, server, more) => {
      const resourceTemplates = [
        { uriTemplate: "db:///{table}{?limit}", name: "rows" },
        { uriTemplate: "file:///{+path}", name: "files" },
      ]
      const reads: Rule = {
        when: { method: "resources/read" },
        reply: [{ result: { ...more, contents: [{ uri: { $from: "/params/uri" }, text: "" }] } }],
      }
      const peer = memoryPeer(withRules(server({ resources: [], resourceTemplates }), reads))
      await using client = await connected(peer.transport)
      const { items } = await client.resources.templates.list()
      const uris = items.map((template) =>
        expandTemplate(template, { table: "a/b", limit: 10, path: "x/y z" }),
      )
      expect(uris).toEqual(["db:///a%2Fb?limit=10", "file:///x/y%20z"])
      for (const uri of uris) {
        expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: "" }])
      }
    },
  )
})
