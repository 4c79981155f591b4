// All elements of the board and of what stands beside it.

import "./board.js";
import "./player.js";
import "./pool.js";
import "./quiet.js";
import "./moves.js";
import "./bar.js";
import "./graph.js";
import "./fan.js";
import "./luck.js";
