import type { Family } from "@entente/doctor"

/** What a family is about, in the words of its page. */
export interface FamilyPage {
  readonly family: Family
  /** The name of the page's file. */
  readonly slug: string
  readonly title: string
  readonly words: ReadonlyArray<string>
}

export const familyPages: ReadonlyArray<FamilyPage> = [
  {
    family: 0,
    slug: "0-reach",
    title: "Reaching the server",
    words: [
      "Before anything can be said of tools a server has to start, to be reached, and to say something that can be read. Most of what ends here",
      "is written on stderr, in a status, or in the first bytes: the doctor shows that line.",
    ],
  },
  {
    family: 1,
    slug: "1-capabilities",
    title: "Capabilities",
    words: [
      "A client asks for tools only if the server has declared that it has some. A server that serves them without declaring them, declares them",
      "after the handshake, or registers them after it was asked, is connected and shows nothing.",
    ],
  },
  {
    family: 2,
    slug: "2-listing",
    title: "Listing",
    words: [
      "The tools were asked for, and the answer is an error, late, cut, misread, in a circle, or holds items that a client has to leave out.",
      "Where a request could be at fault the doctor sends it again in other forms, and never calls a tool.",
    ],
  },
  {
    family: 3,
    slug: "3-session",
    title: "Session",
    words: [
      "A server of the legacy era over HTTP may assign a session, and then wants its id with every request. It gets lost in clients, proxies and",
      "browsers, expires, or lives in one of several replicas. The era of 2026-07-28 has no sessions at all.",
    ],
  },
  {
    family: 4,
    slug: "4-version",
    title: "Version",
    words: [
      "Both sides have to mean the same revision of the protocol, in the handshake, in headers and in `_meta`. One that is unknown, refused, echoed",
      "without being meant, or lost on the way ends most connections before a tool is named.",
    ],
  },
  {
    family: 5,
    slug: "5-cached-or-filtered",
    title: "Cached or filtered",
    words: [
      "The server has the tools and the client does not show them: it never asked, holds a list that is out of date, missed a change, or its own",
      "files hide some. `entente doctor --client CLIENT` looks into those files; see",
      "[what keeps tools away](../config-files.md#what-keeps-tools-away).",
    ],
  },
  {
    family: 6,
    slug: "6-authorization",
    title: "Authorization",
    words: [
      "Some servers answer strangers with an empty list instead of a refusal, others refuse only the list, and some do not say how to log in. The",
      "doctor asks with and without the credentials that it was given, and compares.",
    ],
  },
]
