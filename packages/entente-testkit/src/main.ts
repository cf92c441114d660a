#!/usr/bin/env node
// Whoever has no project to install into says `npx entente-testkit`; the command itself is testkit's.
import "@entente/testkit/command"
