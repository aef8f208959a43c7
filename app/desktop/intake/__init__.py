"""What a person drops on the window, pastes into it or starts it with."""
