import type { ClientKind } from "../../src/config/index.js"

/** A file of each client as people have them: one program, one address, and a trait of its own. */
export const fixtures: Readonly<Record<ClientKind, string>> = {
  "claude-desktop": `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
      "env": { "FILES_TOKEN": "plain-files-secret" }
    },
    "weather": { "url": "https://weather.example/mcp" }
  }
}
`,
  "claude-code": `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "some-files", "--root", "\${FILES_ROOT:-/srv}"],
      "env": { "FILES_TOKEN": "\${FILES_TOKEN}" }
    },
    "weather": {
      "type": "http",
      "url": "https://weather.example/mcp",
      "headers": { "Authorization": "Bearer \${WEATHER_TOKEN}" }
    },
    "old": { "type": "sse", "url": "https://old.example/sse" }
  }
}
`,
  cursor: `{
  "mcpServers": {
    "files": {
      "command": "\${userHome}/bin/files",
      "args": ["--root", "\${workspaceFolder}"],
      "env": { "FILES_TOKEN": "\${env:FILES_TOKEN}" },
      "envFile": "\${workspaceFolder}/.env",
      "autoApprove": ["read"]
    },
    "weather": {
      "url": "https://weather.example/mcp",
      "headers": { "X-Key": "\${env:WEATHER_TOKEN}" }
    }
  }
}
`,
  vscode: `{
  // what the team uses
  "inputs": [
    { "type": "promptString", "id": "weather-key", "description": "Weather key", "password": true },
  ],
  "servers": {
    "files": {
      "type": "stdio",
      "command": "node",
      "args": ["files.js"],
      "cwd": "\${workspaceFolder}/tools",
      "env": { "FILES_TOKEN": "\${env:FILES_TOKEN}" },
      "dev": { "watch": "src/**" },
    },
    "weather": {
      "type": "http",
      "url": "https://weather.example/mcp",
      "headers": { "Authorization": "Bearer \${input:weather-key}" },
    },
  },
}
`,
  windsurf: `{
  "mcpServers": {
    "files": {
      "command": "files",
      "args": [],
      "env": { "FILES_TOKEN": "\${env:FILES_TOKEN}" },
      "disabledTools": ["delete"]
    },
    "weather": {
      "serverUrl": "https://weather.example/mcp",
      "headers": { "X-Key": "\${file:~/weather-key}" }
    },
    "off": { "command": "off", "disabled": true }
  }
}
`,
  antigravity: `{
  "mcpServers": {
    "files": { "command": "files", "env": { "FILES_TOKEN": "plain-files-secret" } },
    "weather": { "serverUrl": "https://weather.example/mcp" }
  }
}
`,
  gemini: `{
  // settings of the whole program
  "theme": "GitHub",
  "mcpServers": {
    "files": {
      "command": "files",
      "args": ["--root", "$FILES_ROOT"],
      "env": { "FILES_TOKEN": "\${FILES_TOKEN}" },
      "cwd": "./tools",
      "timeout": 15000,
      "trust": false,
      "includeTools": ["read", "list"],
      "excludeTools": ["list"]
    },
    "weather": { "httpUrl": "https://weather.example/mcp" },
    "old": { "url": "https://old.example/sse" }
  }
}
`,
  codex: `model = "some-model"

[mcp_servers.files]
command = "files"
args = ["--root", "/srv"]
env = { FILES_MODE = "plain-files-secret" }
env_vars = ["FILES_TOKEN"]
startup_timeout_sec = 20
tool_timeout_sec = 45
enabled_tools = ["read"]

[mcp_servers."weather"]
url = "https://weather.example/mcp"
bearer_token_env_var = "WEATHER_TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Team" = "TEAM_KEY" }

[mcp_servers.off]
command = "off"
enabled = false
`,
  goose: `GOOSE_PROVIDER: some
extensions:
  developer:
    type: builtin
    name: developer
    enabled: true
  files:
    type: stdio
    name: files
    cmd: files
    args:
      - --root
      - /srv
    envs:
      FILES_MODE: plain-files-secret
    env_keys: [FILES_TOKEN]
    timeout: 300
    enabled: true
    available_tools: []
  weather:
    type: streamable_http
    name: weather
    uri: https://weather.example/mcp
    headers:
      Authorization: Bearer \${WEATHER_TOKEN}
    env_keys:
      - WEATHER_TOKEN
    enabled: false
`,
  opencode: `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "files": {
      "type": "local",
      "command": ["npx", "-y", "some-files"], // program and arguments
      "environment": { "FILES_TOKEN": "{env:FILES_TOKEN}" },
      "enabled": true,
      "timeout": 9000,
    },
    "weather": {
      "type": "remote",
      "url": "https://weather.example/mcp",
      "headers": { "Authorization": "Bearer {env:WEATHER_TOKEN}" },
      "enabled": false,
    },
  },
}
`,
  junie: `{
  "mcpServers": {
    "files": { "command": "files", "args": ["--root", "/srv"], "env": { "A": "plain-files-secret" } },
    "weather": { "url": "https://weather.example/mcp", "headers": { "X-Region": "eu" } }
  }
}
`,
  mcporter: `{
  "mcpServers": {
    "files": {
      "command": ["npx", "-y", "some-files"],
      "env": { "FILES_TOKEN": "$env:FILES_TOKEN", "MODE": "\${MODE:-fast}" },
      "allowedTools": ["read"],
    },
    "weather": {
      "description": "Weather",
      "baseUrl": "https://weather.example/mcp",
      "bearerTokenEnv": "WEATHER_TOKEN",
    },
  },
  "imports": ["cursor"],
}
`,
  plain: `{
  "mcpServers": {
    "files": { "command": "files", "env": { "FILES_TOKEN": "\${FILES_TOKEN}" } },
    "weather": { "url": "https://weather.example/mcp", "headers": { "X-Key": "\${env:KEY}" } }
  }
}
`,
}
